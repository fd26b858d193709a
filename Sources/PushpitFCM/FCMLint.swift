internal import PushpitJSON
package import PushpitModel

/// Warnings for messages that FCM accepts and phones do not show.
package enum FCMLint {
  /// Keys of `data` that look as if FCM would show what they hold; with `gcm.` or `google` before them
  /// too, where FCM does not refuse them as reserved (Google: "Data payload keys").
  private static let notificationKeys: Set<String> = [
    "notification", "aps", "alert", "gcm", "google",
  ]

  /// The warnings of a message; none for what is no message of FCM.
  package static func warnings(of push: RecordedPush) -> [PayloadWarning] {
    guard push.isAccepted, push.service == .fcm, let message = push.payload["message"],
      message["notification"] == nil
    else { return [] }
    let maps: [(pointer: String, data: JSONValue?, notification: JSONValue?)] =
      [("/message/data", message["data"], nil)]
      + ["android", "webpush"].map { name in
        ("/message/\(name)/data", message[name]?["data"], message[name]?["notification"])
      }
    return maps.flatMap { map -> [PayloadWarning] in
      guard map.notification == nil else { return [] }
      return (map.data?.objectValue?.members ?? []).filter { looksLikeNotification($0.key) }.map {
        warning(JSONValue.pointer(map.pointer, to: $0.key), key: $0.key)
      }
    }
  }

  private static func looksLikeNotification(_ key: String) -> Bool {
    notificationKeys.contains(key) || key.hasPrefix("gcm.") || key.hasPrefix("google")
      || key.hasPrefix("notification.")
  }

  private static func warning(_ pointer: String, key: String) -> PayloadWarning {
    PayloadWarning(
      code: "lint-notification-in-data", pointer: pointer,
      expected: "what is to be shown in message.notification", found: "\(key) in data",
      text: "Nothing is shown for what is in data: the app gets it, and has to show it itself.")
  }
}
