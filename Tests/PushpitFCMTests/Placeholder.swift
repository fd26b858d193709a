import Testing

@Suite struct PlaceholderFCM {}
