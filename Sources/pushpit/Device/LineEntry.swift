/// A question on the last line, and what has been typed so far.
struct LineEntry: Equatable {
  /// The most characters of an answer.
  static let characterLimit = 200

  let question: String
  private(set) var text: String

  init(_ question: String, text: String) {
    self.question = question
    self.text = String(text.prefix(Self.characterLimit))
  }

  /// What a key makes of it.
  enum Outcome: Equatable {
    case goesOn
    case answered(String)
    case cancelled
  }

  /// Takes a key.
  mutating func press(_ key: KeyDecoder.Key) -> Outcome {
    switch key {
    case .character(let character):
      if text.count < Self.characterLimit { text.append(character) }
    case .backspace: text = String(text.dropLast())
    case .clear: text = ""
    case .enter: return .answered(text)
    case .escape, .end: return .cancelled
    }
    return .goesOn
  }

  /// The line, with the end of what was typed where not all fits.
  func line(columns: Int) -> String {
    let question = TextColumns.cut(question, to: columns / 2)
    var shown = Terminal.printable(text)[...]
    let room = columns - TextColumns.width(of: question)
    while !shown.isEmpty, TextColumns.width(of: shown) > room { shown = shown.dropFirst() }
    return question + shown
  }
}
