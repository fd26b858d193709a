import Testing

@Suite struct PlaceholderAPNs {}
