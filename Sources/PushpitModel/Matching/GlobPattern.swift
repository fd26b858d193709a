/// A pattern in which `*` stands for any text and `?` for any one character.
///
/// Never slower than the length of the text times that of the pattern, which is limited.
package struct GlobPattern: Sendable, Equatable {
  /// The longest pattern in characters (Unicode scalars).
  package static let lengthLimit = 256

  /// As it was written.
  package let text: String
  private let characters: [Character]

  package init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  /// Whether the whole text fits.
  package func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (index, place) = (0, 0)
    /// The last star, and where in the text what follows it was tried.
    var star: Int?
    var tried = 0
    while index < text.count {
      if place < characters.count, characters[place] == "*" {
        star = place
        tried = index
        place += 1
      } else if place < characters.count,
        characters[place] == "?" || characters[place] == text[index]
      {
        index += 1
        place += 1
      } else if let star {
        // The star takes one character more; earlier stars never need to.
        tried += 1
        index = tried
        place = star + 1
      } else {
        return false
      }
    }
    return characters[place...].allSatisfy { $0 == "*" }
  }
}
