internal import PushpitHTTPTypes
internal import PushpitJSON

/// Whether a payload has something to show, seen without reading it where senders write it as most do.
///
/// It is asked of every push that arrives, and a tree of values costs half of what answering does.
enum AlertGlance {
  /// Whether a payload of APNs has an alert that is not empty.
  static func hasAlert(apns payload: [UInt8]) -> Bool {
    payload.withUnsafeBufferPointer { beginsWithAlert($0) } || hasAlert(PushContent.value(payload))
  }

  /// Whether an effective message of FCM has a notification.
  static func hasNotification(fcm message: [UInt8]) -> Bool {
    let usual: StaticString = #"{"notification":{""#
    return message.withUnsafeBufferPointer { $0.begins(with: usual) }
      || PushContent.value(message)["notification"]?.objectValue?.members.isEmpty == false
  }

  private static func hasAlert(_ payload: JSONValue) -> Bool {
    switch payload["aps"]?["alert"] {
    case .string(let text)?: !text.isEmpty
    case .object(let alert)?: !alert.members.isEmpty
    default: false
    }
  }

  /// Whether a text begins as most senders write an alert, with or without blanks, and with a value that is
  /// not empty.
  private static func beginsWithAlert(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let dense: StaticString = #"{"aps":{"alert":"#
    let spaced: StaticString = #"{"aps": {"alert": "#
    let start =
      bytes.begins(with: dense)
      ? dense.utf8CodeUnitCount : bytes.begins(with: spaced) ? spaced.utf8CodeUnitCount : nil
    guard let start, start + 1 < bytes.count else { return false }
    switch bytes[start] {
    case UInt8(ascii: "\""): return bytes[start + 1] != UInt8(ascii: "\"")
    case UInt8(ascii: "{"): return bytes[start + 1] == UInt8(ascii: "\"")
    default: return false
    }
  }
}
