/// The two notations of a P-256 signature: 64 raw bytes (RFC 7518) and DER (RFC 3279).
enum ECDSASignature {
  /// Bytes of each of the two numbers.
  private static let numberCount = 32

  /// The DER form of 64 raw bytes r and s.
  static func der(raw: [UInt8]) -> [UInt8] {
    let numbers = integer(raw.prefix(numberCount)) + integer(raw.suffix(numberCount))
    return [0x30, UInt8(numbers.count)] + numbers
  }

  /// The 64 raw bytes of a signature that OpenSSL made; nil when it is not the DER of one.
  static func raw(der: [UInt8]) -> [UInt8]? {
    guard der.count >= 8, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der[2...]
    guard let r = takeNumber(&rest), let s = takeNumber(&rest), rest.isEmpty else { return nil }
    return r + s
  }

  private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
    var digits = number.drop { $0 == 0 }
    if digits.isEmpty { digits = [0] }
    let sign: [UInt8] = digits[digits.startIndex] & 0x80 == 0 ? [] : [0]
    return [0x02, UInt8(digits.count + sign.count)] + sign + digits
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == 0x02, let count = rest.popFirst(), Int(count) <= rest.count
    else { return nil }
    let digits = rest.prefix(Int(count)).drop { $0 == 0 }
    rest = rest.dropFirst(Int(count))
    guard digits.count <= numberCount else { return nil }
    return [UInt8](repeating: 0, count: numberCount - digits.count) + digits
  }
}
