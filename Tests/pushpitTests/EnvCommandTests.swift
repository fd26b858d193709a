import Testing

@testable import pushpit

@Suite struct EnvCommandTests {
  @Test(arguments: [
    ("/var/lib/pushpit/ca.pem", "/var/lib/pushpit/ca.pem"),
    ("https://localhost:2197", "https://localhost:2197"),
    ("a@b.c%d+e-f_g", "a@b.c%d+e-f_g"), ("", "''"), ("a b", "'a b'"), ("$HOME", "'$HOME'"),
    ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("a\nb", "'a\nb'"), ("grün", "'grün'"),
    ("~", "'~'"),
    ("[::1]", "'[::1]'"),
  ])
  func `a word of the shell is quoted where it needs it`(text: String, word: String) {
    #expect(EnvCommand.quoted(text) == word)
  }
}
