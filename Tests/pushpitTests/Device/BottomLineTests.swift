import Testing

@testable import pushpit

@Suite struct BottomLineTests {
  @Test func `lines are printed where the last line was, and it is drawn below them`() {
    var bottom = BottomLine()
    #expect(bottom.frame(line: "status", columns: 80) == "status")
    #expect(bottom.frame(above: ["a", "b"], line: "new", columns: 80) == "\r\u{1B}[Ja\nb\nnew")
    #expect(bottom.frame(line: "", columns: 80) == "\r\u{1B}[J")
    #expect(bottom.frame(above: ["c"], line: "", columns: 80) == "c\n")
  }

  @Test func `a line that a narrower terminal has broken in three is erased whole`() {
    var bottom = BottomLine()
    _ = bottom.frame(line: String(repeating: "你", count: 12), columns: 80)
    #expect(bottom.frame(line: "x", columns: 10) == "\u{1B}[2A\r\u{1B}[Jx")
    #expect(bottom.frame(line: "x", columns: 0) == "\r\u{1B}[Jx")
  }

  @Test func `paint does not count as width`() {
    var bottom = BottomLine()
    let ink = Ink(hasColour: true)
    #expect(
      bottom.frame(line: "12345678", columns: 8) { ink.paint($0, .reversed) }
        == "\u{1B}[7m12345678\u{1B}[0m")
    #expect(bottom.frame(line: "", columns: 8) { ink.paint($0, .reversed) } == "\r\u{1B}[J")
  }
}
