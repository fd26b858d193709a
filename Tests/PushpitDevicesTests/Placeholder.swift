import Testing

@Suite struct PlaceholderDevices {}
