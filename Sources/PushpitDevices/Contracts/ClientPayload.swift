package import PushpitJSON
package import PushpitModel

/// What a client hands to its SDK: the map in which the SDK's key is looked for, and whether the transport
/// brought something to show.
///
/// Three shapes are handed over: Android's data map, whose values are strings, iOS' `userInfo`, which is
/// the payload of APNs, and Flutter's `message.data`, which is either, by the platform.
package struct ClientPayload: Sendable, Equatable {
  package let platform: Platform
  /// Where the SDK's key is looked for.
  package let map: JSONValue
  /// Whether title or body came by the transport; nil where that is not handed over.
  package let hasAlert: Bool?
  /// Where the map lies in the recorded payload.
  package let pointer: String

  package init(platform: Platform, map: JSONValue, hasAlert: Bool?, pointer: String = "") {
    self.platform = platform
    self.map = map
    self.hasAlert = hasAlert
    self.pointer = pointer
  }

  /// iOS: `userInfo`, the whole payload of APNs.
  package init(userInfo payload: JSONValue, pointer: String = "") {
    self.init(
      platform: .ios, map: payload, hasAlert: Self.isAlert(payload["aps"]?["alert"]),
      pointer: pointer)
  }

  /// Android and web: FCM's effective message, `{"notification": {...}, "data": {...}}`.
  package init(effectiveMessage message: JSONValue, platform: Platform) {
    self.init(
      platform: platform, map: message["data"] ?? [:],
      hasAlert: Self.isNotification(message["notification"]), pointer: "/data")
  }

  /// Android: the data map of a message.
  package init(dataMap: JSONValue) {
    self.init(platform: .android, map: dataMap, hasAlert: nil)
  }

  /// Flutter: `message.data`.
  package init(flutterData: JSONValue, platform: Platform) {
    self.init(platform: platform, map: flutterData, hasAlert: nil)
  }

  /// Whether an alert of APNs shows something.
  static func isAlert(_ alert: JSONValue?) -> Bool {
    switch alert {
    case .string(let text)?: !text.isEmpty
    case .object(let members)?:
      ["title", "body", "title-loc-key", "loc-key"].contains { members[$0] != nil }
    default: false
    }
  }

  /// Whether a notification of FCM has a title or a body.
  static func isNotification(_ notification: JSONValue?) -> Bool {
    let keys = [
      "title", "body", "title_loc_key", "body_loc_key", "titleLocKey", "bodyLocKey",
    ]
    return keys.contains { notification?[$0] != nil }
  }
}
