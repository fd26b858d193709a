/// The name of a topic: `[a-zA-Z0-9-_.~%]{1,900}` (Google's discovery document).
package enum FCMTopicName {
  /// How many characters it has.
  package static let lengths = 1...900

  /// Whether these bytes are a name.
  package static func isValid(_ name: some Collection<UInt8>) -> Bool {
    lengths.contains(name.count)
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "%"):
          true
        default: false
        }
      }
  }
}
