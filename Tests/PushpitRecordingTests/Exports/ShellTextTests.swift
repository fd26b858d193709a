import Testing

@testable import PushpitRecording

@Suite struct ShellTextTests {
  @Test(arguments: [
    ("", "''"), ("abc", "abc"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#),
    ("a\nb", "'a\nb'"), ("$x", "'$x'"), ("~", "'~'"), ("é", "'é'"), ("'\u{301}", "''\\''\u{301}'"),
    ("a\u{1B}b", #"'a'"$(printf '\033')"'b'"#),
    ("a\u{202E}", #"'a'"$(printf '\342\200\256')""#),
  ])
  func `a word stands for its text`(text: String, word: String) {
    #expect(ShellText.word(text) == word)
  }

  @Test func `bytes that are no text are written in octal`() {
    #expect(ShellText.word(ExportText([0x61, 0xFF, 0xC3])) == #"'a'"$(printf '\377\303')""#)
  }

  @Test func `text that a terminal acts on is none`() {
    #expect(ShellText.isText(Array("é\n\t漢".utf8)))
    for text in ["\r", "\u{0}", "\u{1B}[2J", "\u{7F}", "\u{9B}", "\u{2066}"] {
      #expect(!ShellText.isText(Array(text.utf8)))
    }
    #expect(!ShellText.isText([0xFF]))
  }
}
