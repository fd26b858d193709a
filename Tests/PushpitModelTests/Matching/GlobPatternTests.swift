import Testing

@testable import PushpitModel

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("a*b", "ab", true),
    ("a*b", "axxb", true), ("a*b", "axxc", false), ("a?c", "abc", true), ("a?c", "ac", false),
    ("*a*a*", "banana", true), ("*.example.*", "com.example.app", true), ("a*b?", "aXbY", true),
    ("?", "é", true), ("**a", "a", true), ("a*", "b", false), ("*ab", "aab", true),
  ])
  func `a star is any text, a question mark one character`(
    pattern: String, text: String, fits: Bool
  ) {
    #expect(GlobPattern(pattern).matches(text) == fits)
  }

  @Test func `many stars before what never comes do not explode`() {
    let pattern = GlobPattern(String(repeating: "a*", count: 127) + "b")
    // 2^127 ways to place the stars; it must end all the same.
    #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
  }
}
