/// The last line of a terminal, which stays there while lines scroll by above it.
///
/// It is drawn with what every terminal knows (ECMA-48): back to the line's start, up, and erase.
struct BottomLine {
  private static let eraseBelow = "\r\u{1B}[J"

  /// What stands there now, in columns.
  private var drawnColumns = 0

  /// What to send to a terminal of so many columns: lines, and below them the last one.
  ///
  /// The line is plain text, narrower than the terminal; an empty one is none. Paint takes no columns.
  mutating func frame(
    above lines: [String] = [], line: String, columns: Int, paint: (String) -> String = { $0 }
  ) -> String {
    let erasing = erase(columns: columns)
    drawnColumns = TextColumns.width(of: line)
    return erasing + lines.map { $0 + "\n" }.joined() + paint(line)
  }

  /// A terminal that became narrower has broken the line in several.
  private func erase(columns: Int) -> String {
    guard drawnColumns > 0 else { return "" }
    let rowsAbove = (drawnColumns - 1) / max(1, columns)
    return (rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : "") + Self.eraseBelow
  }
}
