import Testing

@Suite struct PlaceholderJSON {}
