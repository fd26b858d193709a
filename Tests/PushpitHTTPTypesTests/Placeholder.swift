import Testing

@Suite struct PlaceholderHTTPTypes {}
