/// The JSON form of `google.protobuf.Duration`: seconds with up to nine decimals, then `s`.
enum ProtoDuration {
  /// Why a text is no duration; the sentences are those of protobuf's JSON reader.
  enum Failure: String, Error {
    case unit = "Illegal duration format; duration must end with 's'"
    case seconds = "Invalid duration format, failed to parse seconds"
    case nanoseconds = "Invalid duration format, failed to parse nano seconds"
    case range = "Duration value exceeds limits"
  }

  /// The range of the protobuf type: 10,000 years either way.
  private static let secondsLimit: UInt64 = 315_576_000_000

  /// Reads `3s`, `3.5s`, `-1.000000001s`.
  static func parse(_ text: String) throws(Failure) -> Duration {
    guard text.utf8.last == UInt8(ascii: "s") else { throw .unit }
    var digits = text.utf8.dropLast()
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = number(parts[0]) else { throw .seconds }
    var nanoseconds: UInt64 = 0
    if parts.count > 1 {
      guard let read = number(parts[1]) else { throw .nanoseconds }
      guard parts[1].count <= 9 else { throw .range }
      nanoseconds = (parts[1].count..<9).reduce(read) { value, _ in value * 10 }
    }
    guard seconds <= secondsLimit else { throw .range }
    let magnitude = Duration.seconds(Int64(seconds)) + .nanoseconds(Int64(nanoseconds))
    return isNegative ? .zero - magnitude : magnitude
  }

  private static func number(_ digits: Substring.UTF8View.SubSequence) -> UInt64? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt64(Substring(digits))
  }
}
