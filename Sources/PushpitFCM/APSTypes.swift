import PushpitJSON

/// The types that FCM checks in the `aps` dictionary.
///
/// A capture shows `badge`; the others are assumed to be checked in the same way, by the types of
/// Apple's page (Generating a remote notification). Flags such as `content-available` are left alone,
/// since senders write them as numbers and as booleans.
enum APSTypes {
  private static let rules: [(key: String, expected: String, fits: @Sendable (JSONValue) -> Bool)] =
    [
      ("alert", "a string or a dictionary", { $0.stringValue != nil || $0.objectValue != nil }),
      ("badge", "a number", { if case .number = $0 { true } else { false } }),
      ("sound", "a string or a dictionary", { $0.stringValue != nil || $0.objectValue != nil }),
      ("category", "a string", { $0.stringValue != nil }),
      ("thread-id", "a string", { $0.stringValue != nil }),
    ]

  /// Refuses the first value of a wrong type.
  static func check(_ message: FCMMessage) throws(FCMRefusal) {
    guard let aps = message.fields["apns"]?["payload"]?["aps"] else { return }
    for rule in rules {
      guard let value = aps[rule.key], value != .null, !rule.fits(value) else { continue }
      throw FCMRefusal(
        .apsTypeWrong(rule.key, expected: rule.expected),
        FCMDiagnoses.apsTypeWrong(rule.key, expected: rule.expected))
    }
  }
}
