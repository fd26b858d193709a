/// The JSON form of `google.protobuf.Duration`: seconds with up to nine decimals, then `s`.
///
/// The order of the checks is that of protobuf's `RenderDuration`.
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
    let point = digits.lastIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    guard let seconds = number(digits[..<point], UInt64.self) else { throw .seconds }
    let nanoseconds = try nanoseconds(digits[point...].dropFirst())
    guard seconds <= secondsLimit else { throw .range }
    let magnitude = Duration.seconds(Int64(seconds)) + .nanoseconds(nanoseconds)
    return isNegative ? .zero - magnitude : magnitude
  }

  /// The text of a duration given by its fields.
  static func text(seconds: Int64, nanoseconds: Int64) -> String {
    let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
    let whole = sign + String(seconds.magnitude)
    guard nanoseconds != 0 else { return whole + "s" }
    let digits = String(nanoseconds.magnitude)
    return whole + "." + String(repeating: "0", count: max(9 - digits.count, 0)) + digits + "s"
  }

  /// Zeros in front count for nothing; the rest is read as a number of 32 bits, so that from ten
  /// digits on it mostly is none (seen in 2026: 15 digits fail to parse).
  private static func nanoseconds(_ digits: Substring.UTF8View) throws(Failure) -> Int64 {
    let rest = digits.drop { $0 == UInt8(ascii: "0") }
    guard !rest.isEmpty else { return 0 }
    guard let value = number(rest, Int32.self) else { throw .nanoseconds }
    guard digits.count <= 9 else { throw .range }
    return (digits.count..<9).reduce(Int64(value)) { value, _ in value * 10 }
  }

  private static func number<Integer: FixedWidthInteger>(
    _ digits: Substring.UTF8View, _ type: Integer.Type
  ) -> Integer? {
    guard !digits.isEmpty else { return nil }
    var value: Integer = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tens.addingReportingOverflow(Integer(digit - 0x30))
      guard !isTooLarge, !isStillTooLarge else { return nil }
      value = sum
    }
    return value
  }
}
