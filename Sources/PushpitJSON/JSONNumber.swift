/// A JSON number, kept as the text it was written as.
///
/// Equal numbers have equal texts: `1` and `1.0` differ.
package struct JSONNumber: Sendable, Equatable {
  /// The characters of the number, exactly as written.
  package let text: String

  /// A number of this text, which must follow RFC 8259 section 6.
  init(verifiedText text: String) {
    self.text = text
  }

  /// An integer.
  package init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// A fraction; nil when it is infinite or not a number, which JSON cannot write.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// Its value when it is written without fraction and exponent and fits.
  package var int64: Int64? { Int64(text) }

  /// The nearest double; nil when it is too large for one.
  package var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
