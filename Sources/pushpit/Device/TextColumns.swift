/// How wide text is in a terminal, and text made to fit.
///
/// The widths are those of Unicode's East Asian Width (UAX 11): two columns for what is wide or an
/// emoji, none for what combines with the character before it.
enum TextColumns {
  /// The columns of a text without control characters.
  static func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// The columns of one character: that of its widest part.
  static func width(of character: Character) -> Int {
    // Most are ASCII.
    if character.isASCII { return 1 }
    let scalars = character.unicodeScalars
    // Variation selector 16 asks for the picture of what has a text form too.
    if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    return scalars.map(width(of:)).max() ?? 0
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of characters that are wide (W and F of UAX 11), emoji apart.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]

  /// The text, or as much of its beginning as fits with `…` behind it.
  static func cut(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    return String(beginning(of: text[...], columns: columns - 1)) + "…"
  }

  /// The text in lines of at most so many columns, broken at spaces where it has some.
  ///
  /// Of more lines than the limit the last one ends with `…`.
  static func fold(_ text: String, to columns: Int, limit: Int) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard lines.count + 1 < limit else {
        return lines + [cut(String(rest), to: columns)]
      }
      var line = beginning(of: rest, columns: columns)
      // A character wider than a line still has to go somewhere.
      if line.isEmpty { line = rest.prefix(1) }
      if line.endIndex < rest.endIndex, rest[line.endIndex] != " ",
        let space = line.lastIndex(of: " "), space > line.startIndex
      {
        line = line[..<space]
      }
      lines.append(String(line))
      rest = rest[line.endIndex...]
      if rest.first == " " { rest = rest.dropFirst() }
    }
    return lines
  }

  /// As much of the text's end as fits.
  static func end(of text: String, columns: Int) -> Substring {
    var used = 0
    var start = text.endIndex
    while start > text.startIndex {
      let previous = text.index(before: start)
      used += width(of: text[previous])
      if used > columns { break }
      start = previous
    }
    return text[start...]
  }

  private static func beginning(of text: Substring, columns: Int) -> Substring {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      used += width(of: text[end])
      if used > columns { break }
      end = text.index(after: end)
    }
    return text[..<end]
  }
}
