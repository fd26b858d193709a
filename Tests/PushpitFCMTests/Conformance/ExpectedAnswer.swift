/// The bytes that a request is answered with, written out.
///
/// Where Google makes something up for each answer the body has a placeholder: `‹16 digits›`, `‹16 hex›`
/// or `‹993 letters›` for so many characters, `‹letters›` for any number of them; letters are those of
/// base64url, and the dot.
struct ExpectedAnswer: Sendable, Equatable {
  let status: Int
  /// Every field of the head, as `name: value`.
  let fields: [String]
  let body: String

  /// The fields of every JSON answer.
  static let fieldsOfJSON = [
    "content-type: application/json; charset=UTF-8", "vary: Origin, X-Origin, Referer",
    "server: ESF", "x-xss-protection: 0", "x-frame-options: SAMEORIGIN",
    "x-content-type-options: nosniff", "cache-control: private",
  ]
  /// The one field of a page.
  static let fieldsOfPage = ["content-type: text/html; charset=UTF-8"]

  /// An answer in JSON, with further fields after the usual ones.
  static func json(_ status: Int, _ body: String, _ fields: [String] = []) -> ExpectedAnswer {
    ExpectedAnswer(status: status, fields: fieldsOfJSON + fields, body: body)
  }

  /// A page.
  static func page(_ status: Int, _ body: String) -> ExpectedAnswer {
    ExpectedAnswer(status: status, fields: fieldsOfPage, body: body)
  }

  /// The fields beside those that every answer of its kind has.
  var furtherFields: [String] {
    fields.filter { !Self.fieldsOfJSON.contains($0) && !Self.fieldsOfPage.contains($0) }
  }

  /// Whether these are the bytes of the body.
  func isBody(_ text: String) -> Bool {
    var rest = text[...]
    for (index, piece) in body.split(separator: "‹", omittingEmptySubsequences: false).enumerated()
    {
      guard index > 0 else {
        guard Self.drop(piece, from: &rest) else { return false }
        continue
      }
      let parts = piece.split(separator: "›", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, Self.dropMade(parts[0], from: &rest),
        Self.drop(parts[1], from: &rest)
      else { return false }
    }
    return rest.isEmpty
  }

  private static func drop(_ piece: Substring, from rest: inout Substring) -> Bool {
    guard rest.utf8.starts(with: piece.utf8) else { return false }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: piece.utf8.count)...]
    return true
  }

  /// Drops what a placeholder stands for; of the kinds that it can name.
  private static func dropMade(_ placeholder: Substring, from rest: inout Substring) -> Bool {
    let words = placeholder.split(separator: " ")
    guard let kind = words.last, let count = words.count > 1 ? Int(words[0]) : .max else {
      return false
    }
    let made = rest.prefix { character in
      switch kind {
      case "digits": character.isASCII && character.isWholeNumber
      case "hex": character.isASCII && character.isHexDigit && !character.isUppercase
      case "letters":
        character.isASCII
          && (character.isLetter || character.isWholeNumber || "-_.".contains(character))
      default: false
      }
    }.prefix(count)
    guard !made.isEmpty, count == .max || made.count == count else { return false }
    rest = rest[made.endIndex...]
    return true
  }
}
