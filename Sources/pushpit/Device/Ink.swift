/// How text is made to stand out, where there is colour.
struct Ink {
  /// The looks that are used, by their codes of ECMA-48.
  enum Look: Int {
    case bold = 1
    case faint = 2
    case reversed = 7
    case red = 31
    case green = 32
    case amber = 33
  }

  /// Whether there is.
  let hasColour: Bool

  /// The text in a look, or as it is.
  func paint(_ text: String, _ look: Look) -> String {
    hasColour && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}
