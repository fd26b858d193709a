import Testing

@Suite struct PlaceholderGateway {}
