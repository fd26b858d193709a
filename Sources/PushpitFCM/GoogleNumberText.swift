import PushpitJSON

/// A number as an error of Google's front end repeats it: integers of 64 bits as their digits, others
/// like C's `%.15g` (protobuf's `SimpleDtoa`; measured in October 2026 at the ends of the integers).
enum GoogleNumberText {
  static func text(_ number: JSONNumber) -> String {
    if let integer = Int64(number.text) { return String(integer) }
    if let integer = UInt64(number.text) { return String(integer) }
    return number.double.map { text($0) } ?? number.text
  }

  /// The shortest digits that read back as the value, laid out as `%g` does.
  ///
  /// Google prints 17 digits when 15 do not read back, which can be one more than here.
  static func text(_ value: Double) -> String {
    let sign = value.sign == .minus ? "-" : ""
    guard value != 0 else { return sign + "0" }
    var (digits, exponent) = decimal(value.magnitude)
    let precision = digits.count > 15 ? 17 : 15
    guard exponent >= -4, exponent < precision else {
      let fraction = digits.dropFirst()
      let power = String(exponent.magnitude)
      return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction)
        + (exponent < 0 ? "e-" : "e+") + (power.count < 2 ? "0" : "") + power
    }
    if exponent < 0 {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    if digits.count <= exponent {
      digits += String(repeating: "0", count: exponent + 1 - digits.count)
    }
    let fraction = digits.dropFirst(exponent + 1)
    return sign + digits.prefix(exponent + 1) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// The shortest digits, without zeros at either end, and the power of ten of the first.
  private static func decimal(_ magnitude: Double) -> (digits: String, exponent: Int) {
    let parts = magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = mantissa[0]
    let all = whole + (mantissa.count > 1 ? mantissa[1] : "")
    let digits = all.drop { $0 == "0" }
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let exponent = whole.count - 1 - (all.count - digits.count) + power
    guard let last = digits.lastIndex(where: { $0 != "0" }) else { return ("0", 0) }
    return (String(digits[...last]), exponent)
  }
}
