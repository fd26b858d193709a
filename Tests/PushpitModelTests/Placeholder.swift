import Testing

@Suite struct PlaceholderModel {}
