import Testing

@Suite struct PlaceholderCrypto {}
