/// Text as one word of a command line for a POSIX shell, whatever its bytes are.
enum ShellText {
  /// The word.
  ///
  /// A zero byte cannot be in an argument; whoever calls keeps it out.
  ///
  /// Text is in single quotes, inside which nothing has a meaning. Bytes that are not text or that a
  /// terminal acts on are written by `printf` in octal, which every POSIX shell has; `$'..'` is younger.
  static func word(_ text: ExportText) -> String {
    let words = text.pieces.map { piece in
      switch piece {
      case .bytes(let bytes): quoted(bytes)
      case .variable(let name): "\"$\(name)\""
      }
    }
    return words.isEmpty ? "''" : words.joined()
  }

  /// A word without variables.
  static func word(_ text: String) -> String { word(ExportText(Array(text.utf8))) }

  /// Whether the bytes are text that can be read and pasted: UTF-8 without control characters other than
  /// line feeds and tabs, and without marks that turn the direction of what follows.
  static func isText(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy(isHarmless)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    if !bytes.isEmpty, bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy(isHarmless)
    {
      return inSingleQuotes(text[...])
    }
    var word = ""
    // What is text is left as it is, so that the rest of a value can still be read.
    for part in parts(bytes) {
      word +=
        part.isText
        ? inSingleQuotes(String(decoding: part.bytes, as: UTF8.self)[...])
        : "\"$(printf '\(part.bytes.map(octal).joined())')\""
    }
    return word
  }

  /// Runs of printable ASCII, and of anything else.
  private static func parts(_ bytes: [UInt8]) -> [(isText: Bool, bytes: ArraySlice<UInt8>)] {
    var parts: [(isText: Bool, bytes: ArraySlice<UInt8>)] = []
    var start = 0
    func isText(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte || byte == 0x0A || byte == 0x09 }
    while start < bytes.count {
      let kind = isText(bytes[start])
      let end = bytes[start...].firstIndex { isText($0) != kind } ?? bytes.count
      parts.append((kind, bytes[start..<end]))
      start = end
    }
    return parts
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }

  /// A quote ends the quotation, is written alone, and a new one begins.
  private static func inSingleQuotes(_ text: Substring) -> String {
    let quote: Character = "'"
    return "'"
      + text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
      .map { String(Substring($0)) }.joined(separator: "\(quote)\\\(quote)\(quote)") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"),
      UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: ","):
      true
    default: false
    }
  }
}
