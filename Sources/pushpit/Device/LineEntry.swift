/// A question on the last line, and what has been typed so far.
struct LineEntry: Equatable {
  /// The most bytes of an answer: more than any id has that came in a push, of 5 KiB at most.
  static let byteLimit = 5 * 1024

  /// The device that the answer is for, whatever arrives elsewhere meanwhile.
  let device: String
  /// What stands before the answer.
  let question: String
  /// The answer so far.
  private(set) var text: String

  /// A question with an answer that is offered, where that is not too long.
  init(_ question: String, text: String, device: String) {
    self.device = device
    self.question = question
    self.text = text.utf8.count <= Self.byteLimit ? text : ""
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
      if text.utf8.count + character.utf8.count <= Self.byteLimit { text.append(character) }
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
    let room = columns - TextColumns.width(of: question)
    return question + TextColumns.end(of: Terminal.printable(text), columns: room)
  }
}
