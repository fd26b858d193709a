/// How the characters of a number fit a grammar.
enum JSONNumberForm: Equatable {
  /// RFC 8259 section 6.
  case strict
  /// A decimal number all the same: `1.`, `-.5`, `01.5`.
  case lenient
  case invalid

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = bytes
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = Self.removeDigits(&rest)
    var isStrict = whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0")
    var digitCount = whole.count
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = Self.removeDigits(&rest).count
      isStrict = isStrict && fraction > 0
      digitCount += fraction
    }
    guard digitCount > 0 else {
      self = .invalid
      return
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard !Self.removeDigits(&rest).isEmpty else {
        self = .invalid
        return
      }
    }
    self = rest.isEmpty ? (isStrict ? .strict : .lenient) : .invalid
  }

  private static func removeDigits(
    _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    rest.removeFirst(digits.count)
    return digits
  }
}
