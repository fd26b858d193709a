import Testing

@Suite struct PlaceholderNetwork {}
