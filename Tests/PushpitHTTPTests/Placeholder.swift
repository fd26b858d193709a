import Testing

@Suite struct PlaceholderHTTP {}
