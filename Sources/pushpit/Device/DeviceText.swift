/// Text of a sender's, made fit for people.
enum DeviceText {
  /// Lines of at most so many columns, at most so many of them; its own line breaks count.
  static func folded(_ text: String, _ columns: Int, _ limit: Int) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      guard lines.count < limit else {
        lines[limit - 1] = TextColumns.cut(lines[limit - 1] + " …", to: columns)
        break
      }
      lines += TextColumns.fold(
        Terminal.printable(String(line)), to: columns, limit: limit - lines.count)
    }
    return lines
  }

  /// The time of day of a time of the console's, which has 24 characters.
  static func time(_ timestamp: String) -> String {
    timestamp.count == 24 ? String(timestamp.dropFirst(11).dropLast()) : timestamp
  }
}
