import Testing

@testable import PushpitRecording

@Suite struct TextSearchTests {
  /// The slow and obvious way.
  private func isFound(_ word: [UInt8], in text: [UInt8]) -> Bool {
    func lowercase(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte + 32 : byte }
    let word = word.map(lowercase)
    guard text.count >= word.count else { return false }
    return (0...(text.count - word.count)).contains { start in
      text[start..<start + word.count].map(lowercase) == word
    }
  }

  @Test func `a word is found at every place of texts of every length`() {
    for length in 0...70 {
      for word in ["a", "ab", "aXa", "needle", "a much longer needle"] {
        for place in stride(from: 0, through: max(0, length - word.utf8.count), by: 1) {
          var text = [UInt8](repeating: UInt8(ascii: "-"), count: length)
          if place + word.utf8.count <= length {
            text.replaceSubrange(place..<place + word.utf8.count, with: word.uppercased().utf8)
          }
          #expect(
            text.withUnsafeBytes { TextSearch(word: word).isFound(in: $0) }
              == isFound(Array(word.utf8), in: text))
        }
      }
    }
  }

  @Test func `what only begins and ends like the word is not found`() {
    let text = Array(String(repeating: "nXedle needlX ne edle ", count: 10).utf8)
    #expect(!text.withUnsafeBytes { TextSearch(word: "needle").isFound(in: $0) })
    #expect(
      (text + Array("NEEDLE".utf8)).withUnsafeBytes { TextSearch(word: "needle").isFound(in: $0) })
  }

  @Test(arguments: [("@", "`"), ("[", "{"), ("\u{1}", "!"), ("{", "[")])
  func `only letters have two cases`(word: String, text: String) {
    let text = String(repeating: text, count: 40)
    #expect(!TextSearch(word: word).isFound(in: text))
  }
}
