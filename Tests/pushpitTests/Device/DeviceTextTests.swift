import Testing

@testable import pushpit

@Suite struct DeviceTextTests {
  @Test func `a sender's line breaks count, and its control characters are spaces`() {
    #expect(
      DeviceText.folded("a\u{1B}[2Jb\nsecond\r\nthird", 20, 5) == ["a [2Jb", "second", "third"])
  }

  @Test func `what is beyond the last line is announced`() {
    #expect(DeviceText.folded("a\nb\nc", 20, 2) == ["a", "b …"])
    #expect(DeviceText.folded("a\nb", 20, 2) == ["a", "b"])
    #expect(DeviceText.folded("one two\nb", 3, 2) == ["one", "two"].dropLast() + ["tw…"])
    #expect(DeviceText.folded("\n\n", 20, 2).isEmpty)
  }

  @Test func `a time is shown as its time of day`() {
    #expect(DeviceText.time("2026-12-01T11:14:32.072Z") == "11:14:32.072")
    #expect(DeviceText.time("some day") == "some day")
  }
}
