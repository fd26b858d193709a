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

  private static let usualWords: [StaticString] = ["{", "\"aps\"", ":", "{", "\"alert\"", ":"]

  /// Whether a text begins with `{"aps":{"alert":` and a value that is not empty; white space may stand
  /// between.
  private static func beginsWithAlert(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    for word in usualWords {
      skipWhiteSpace(bytes, &index)
      guard UnsafeBufferPointer(rebasing: bytes[index...]).begins(with: word) else { return false }
      index += word.utf8CodeUnitCount
    }
    skipWhiteSpace(bytes, &index)
    guard index + 1 < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\""):
      return bytes[index + 1] != UInt8(ascii: "\"")
    case UInt8(ascii: "{"):
      index += 1
      skipWhiteSpace(bytes, &index)
      return index < bytes.count && bytes[index] == UInt8(ascii: "\"")
    default:
      return false
    }
  }

  @inline(__always)
  private static func skipWhiteSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
    while index < bytes.count,
      bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09
    {
      index += 1
    }
  }
}
