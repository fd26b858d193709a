import Testing

@testable import PushpitFCM

/// Evidence: protobuf's json_escaping.cc.
@Suite struct GoogleEscapesTests {
  @Test(arguments: [
    ("<b>&'é😀", #"\u003cb\u003e&'é😀"#), ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u007f\\u0080\\u009f\u{A0}"),
    ("\u{AD}\u{200B}\u{2028}\u{202E}\u{2060}\u{206F}", #"\u00ad\u200b\u2028\u202e\u2060\u206f"#),
    ("\u{200A}\u{2010}\u{2065}", "\u{200A}\u{2010}\u{2065}"),
    ("\u{FEFF}\u{600}\u{6DD}", #"\ufeff\u0600\u06dd"#),
    ("\u{1D173}\u{E0001}\u{E007F}", #"\ud834\udd73\udb40\udc01\udb40\udc7f"#), ("plain", "plain"),
  ])
  func `markup and what nobody sees are escaped`(_ text: String, _ escaped: String) {
    var bytes = Array(text.utf8)
    GoogleEscapes.apply(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == escaped)
  }
}
