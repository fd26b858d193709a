/// The token that the console demands, to be compared in a time that says nothing about it.
struct ConsoleToken: Sendable {
  /// What is sent is compared with this many bytes at least, so that the time does not tell the length.
  static let comparedCount = 1024

  private let count: Int
  /// The token's bytes and zeros.
  private let padded: [UInt8]

  init(_ token: String) {
    let bytes = Array(token.utf8)
    count = bytes.count
    padded = bytes + [UInt8](repeating: 0, count: max(0, Self.comparedCount - bytes.count))
  }

  /// Whether this is the token, by a walk over all that was sent; an empty token is nobody's.
  func matches(_ sent: [UInt8]) -> Bool {
    guard sent.count <= padded.count else { return false }
    var difference = sent.count ^ count
    for (byte, own) in zip(sent, padded) { difference |= Int(byte ^ own) }
    return difference == 0 && count > 0
  }
}
