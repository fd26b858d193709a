import Testing

@Suite struct PlaceholderRecording {}
