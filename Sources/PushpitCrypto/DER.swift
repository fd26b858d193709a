/// The few forms of DER (X.690) that Apple's certificate extensions are made of.
enum DER {
  /// The identifier of UTF8String.
  static let utf8StringTag: UInt8 = 0x0C
  /// The identifier of SEQUENCE.
  static let sequenceTag: UInt8 = 0x30
  /// The value NULL.
  static let null: [UInt8] = [0x05, 0x00]

  /// A UTF8String.
  static func utf8String(_ text: String) -> [UInt8] { value(utf8StringTag, Array(text.utf8)) }

  /// A SEQUENCE of values that are in DER already.
  static func sequence(_ values: [[UInt8]]) -> [UInt8] {
    value(sequenceTag, Array(values.joined()))
  }

  private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    guard count >= 0x80 else { return [tag, UInt8(count)] + contents }
    var digits: [UInt8] = []
    var rest = count
    while rest > 0 {
      digits.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(digits.count)] + digits + contents
  }

  /// The values that bytes are made of, one behind the other; nil when they are no DER.
  static func values(_ bytes: ArraySlice<UInt8>) -> [(tag: UInt8, contents: ArraySlice<UInt8>)]? {
    var values: [(tag: UInt8, contents: ArraySlice<UInt8>)] = []
    var rest = bytes
    while let tag = rest.popFirst() {
      guard let count = length(&rest), count <= rest.count else { return nil }
      values.append((tag, rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return values
  }

  /// Takes a length away; nil when it is none, or needs more than four bytes.
  private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    let digitCount = Int(first & 0x7F)
    guard (1...4).contains(digitCount), digitCount <= rest.count else { return nil }
    let count = rest.prefix(digitCount).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(digitCount)
    return count
  }
}
