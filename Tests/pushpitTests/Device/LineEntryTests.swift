import Testing

@testable import pushpit

@Suite struct LineEntryTests {
  @Test func `the text that is offered can be taken, changed or wiped`() {
    var entry = LineEntry("conversation: ", text: "c1", device: "d1")
    #expect(entry.press(.enter) == .answered("c1"))
    #expect(entry.press(.character("2")) == .goesOn && entry.text == "c12")
    #expect(entry.press(.backspace) == .goesOn && entry.text == "c1")
    #expect(entry.press(.clear) == .goesOn && entry.text.isEmpty)
    #expect(entry.press(.backspace) == .goesOn && entry.text.isEmpty)
    #expect(entry.press(.enter) == .answered(""))
  }

  @Test(arguments: [KeyDecoder.Key.escape, .end])
  func `it can be left without an answer`(key: KeyDecoder.Key) {
    var entry = LineEntry("conversation: ", text: "c1", device: "d1")
    #expect(entry.press(key) == .cancelled)
  }

  @Test func `an answer has a limit`() {
    let full = String(repeating: "x", count: LineEntry.byteLimit)
    var entry = LineEntry("", text: full, device: "d1")
    #expect(entry.text == full)
    _ = entry.press(.character("y"))
    #expect(entry.text == full)
    // Half of an id would be another one.
    #expect(LineEntry("", text: full + "x", device: "d1").text.isEmpty)
  }

  @Test func `the line shows the end of what was typed, without control characters`() {
    let entry = LineEntry("question: ", text: "abc\u{1B}defghij你", device: "d1")
    #expect(entry.line(columns: 80) == "question: abc defghij你")
    #expect(entry.line(columns: 20) == "question:  defghij你")
    #expect(entry.line(columns: 0).isEmpty)
    for columns in 0...40 {
      #expect(TextColumns.width(of: entry.line(columns: columns)) <= columns)
    }
  }
}
