import PushpitJSON

/// A send request that fits the schema, with the proto name of every field.
struct FCMMessage {
  /// Whom it is for; exactly one.
  enum Target: Equatable {
    /// A registration token or an installation ID; the path of its field.
    case token([UInt8], field: String)
    case topic(String)
    case condition(String)
  }

  /// The `message` object; empty when it is absent.
  let fields: JSONObject
  /// Checked like any other, and sent to nobody.
  let isValidationOnly: Bool

  init(request: JSONObject) {
    fields = request["message"]?.objectValue ?? JSONObject()
    isValidationOnly = request["validate_only"]?.boolValue ?? false
  }

  /// The target; nil when there is none or it is empty.
  var target: Target? {
    for name in ["token", "fid"] {
      if let text = text(name) { return .token(Array(text.utf8), field: "message." + name) }
    }
    if let topic = text("topic") { return .topic(topic) }
    return text("condition").map { .condition($0) }
  }

  /// The configuration for Android, of either generation, and its name.
  var android: (name: String, config: JSONObject)? {
    for name in ["android", "android_v2"] {
      if let config = fields[name]?.objectValue { return (name, config) }
    }
    return nil
  }

  /// The notification for Android, of either generation.
  var androidNotification: JSONObject? {
    guard let config = android?.config else { return nil }
    let notification = config["notification"] ?? config["remote_notification"]?["notification"]
    return notification?.objectValue
  }

  /// The token of a Live Activity, or one that starts them; nil without one.
  var liveActivityToken: String? {
    guard let text = fields["apns"]?["live_activity_token"]?.stringValue, !text.isEmpty else {
      return nil
    }
    return text
  }

  /// Whether nothing in it is for other platforms than Apple's.
  var isForAppleOnly: Bool {
    let others = ["notification", "data", "android", "android_v2", "webpush"]
    return fields["apns"] != nil && !others.contains { fields[$0] != nil }
  }

  /// A header of the `apns` or `webpush` configuration, its name compared without case.
  func header(_ name: String, of config: String) -> String? {
    fields[config]?["headers"]?.objectValue?.members
      .last { $0.key.lowercased() == name }?.value.stringValue
  }

  private func text(_ name: String) -> String? {
    guard let text = fields[name]?.stringValue, !text.isEmpty else { return nil }
    return text
  }
}
