import Testing

@testable import pushpit

@Suite struct TextColumnsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("grün", 4), ("Привет", 6), ("你好", 4), ("ｆｕｌｌ", 8), ("한국어", 6),
    ("e\u{301}", 1), ("👋", 2), ("👋🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2),
    ("\u{200B}", 0), ("…", 1), ("│", 1),
  ])
  func `a text is as wide as a terminal draws it`(text: String, columns: Int) {
    #expect(TextColumns.width(of: text) == columns)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ("你好吗", 6, "你好吗"), ("你好吗", 5, "你好…"), ("你好吗", 4, "你…"),
  ])
  func `what does not fit is cut, and says so`(text: String, columns: Int, expected: String) {
    #expect(TextColumns.cut(text, to: columns) == expected)
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one two three", 6, ["one", "two", "three"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("你好吗你好", 5, ["你好", "吗你", "好"]),
    ("a 你好吗", 4, ["a", "你好", "吗"]), ("", 4, []),
  ])
  func `lines are broken at spaces, or where they are full`(
    text: String, columns: Int, expected: [String]
  ) {
    #expect(TextColumns.fold(text, to: columns, limit: 10) == expected)
  }

  @Test func `the end of a text is what fits`() {
    #expect(TextColumns.end(of: "abc你", columns: 3) == "c你")
    #expect(TextColumns.end(of: "abc你", columns: 1) == "")
    #expect(TextColumns.end(of: "abc", columns: 9) == "abc")
    #expect(TextColumns.end(of: "abc", columns: -1).isEmpty)
  }

  @Test func `a character wider than the line gets a line of its own`() {
    #expect(TextColumns.fold("你a", to: 1, limit: 10) == ["你", "a"])
  }

  @Test func `of more lines than the limit the last says that there is more`() {
    #expect(TextColumns.fold("one two three four", to: 5, limit: 2) == ["one", "two …"])
    #expect(TextColumns.fold("abcdefgh", to: 4, limit: 2) == ["abcd", "efgh"])
  }

  @Test func `no line is wider than asked for`() {
    let text = "Привет, 你好 👋🏽 a long word: Donaudampfschifffahrtsgesellschaft 한국어 e\u{301}"
    for columns in 2...80 {
      let lines = TextColumns.fold(text, to: columns, limit: 100)
      #expect(lines.allSatisfy { TextColumns.width(of: $0) <= columns })
      #expect(
        lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(columns) columns")
    }
  }
}
