/// The text form of an envelope's number, `e42`.
package enum EnvelopeID {
  /// The text of a number.
  package static func text(_ number: EnvelopeNumber) -> String {
    "e\(number)"
  }

  /// The number of a text; nil when it is not the identifier of an envelope.
  package static func number(_ text: some StringProtocol) -> EnvelopeNumber? {
    guard text.first == "e", let first = text.dropFirst().utf8.first, first != UInt8(ascii: "+")
    else { return nil }
    return EnvelopeNumber(text.dropFirst())
  }
}
