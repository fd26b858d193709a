import Testing

@Suite struct PlaceholderConsole {}
