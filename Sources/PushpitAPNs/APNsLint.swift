internal import PushpitJSON
package import PushpitModel

/// What APNs accepts and iPhones drop or misread, found in accepted pushes.
///
/// It is asked when an envelope is read, never while a push is answered.
package struct APNsLint {
  let push: RecordedPush
  /// `apns-push-type`; nil when it was omitted.
  let type: APNsPushType?
  /// The push type whose suffix the topic has.
  let topicOwner: APNsPushType?
  let root: JSONObject
  /// `aps`, without members when there is none.
  let aps: JSONObject
  var warnings: [PayloadWarning] = []

  /// The warnings of a push; none for what is no push to a device or a channel.
  package static func warnings(of push: RecordedPush) -> [PayloadWarning] {
    guard push.isAccepted, push.service == .apns, push.isToToken || push.pushType != nil,
      let root = push.payload.objectValue
    else { return [] }
    var lint = APNsLint(push, root)
    lint.checkPushType()
    lint.checkBackground()
    if lint.isOfLiveActivity { lint.checkLiveActivity() }
    lint.checkKeys()
    return lint.warnings
  }

  private init(_ push: RecordedPush, _ root: JSONObject) {
    self.push = push
    self.root = root
    // Broadcasts may write it in any case.
    type = push.pushType.flatMap { APNsPushType(Array($0.lowercased().utf8)[...]) }
    topicOwner = push.topic.flatMap { APNsPushType.ofSuffix(Array($0.utf8)[...]) }
    aps = root["aps"]?.objectValue ?? JSONObject()
  }

  /// Whether a key of `aps` is there, and not null.
  func has(_ key: String) -> Bool { aps[key].map { $0 != .null } ?? false }

  /// The first key that shows or sounds something.
  private var visibleKey: String? { ["alert", "badge", "sound"].first(where: has) }

  /// Apple writes 1; true is read as that, and reported for its type.
  private var isContentAvailable: Bool {
    aps["content-available"]?.doubleValue == 1 || aps["content-available"] == true
  }

  /// The type that topic and payload speak for; nil when they say nothing, as `{}` of Wallet does.
  private var fittingType: APNsPushType? {
    if let topicOwner { return topicOwner }
    if root["mdm"] != nil { return .mdm }
    if has("event"), has("content-state") { return .liveactivity }
    if visibleKey != nil { return .alert }
    return isContentAvailable ? .background : nil
  }

  var isOfLiveActivity: Bool { (type ?? topicOwner) == .liveactivity }

  mutating func warn(
    _ code: Code, at pointer: String = "", expected: String, found: String = "", _ text: String
  ) {
    warnings.append(
      PayloadWarning(
        code: code.rawValue, pointer: pointer, expected: expected, found: found, text: text))
  }
}

extension APNsLint {
  /// The codes of the warnings.
  enum Code: String, CaseIterable {
    case pushTypeMissing = "lint-push-type-missing"
    case pushTypeContradicts = "lint-push-type-contradicts"
    case backgroundWithAlert = "lint-background-with-alert"
    case backgroundPriority = "lint-background-priority"
    case liveActivityEvent = "lint-live-activity-event"
    case liveActivityTimestamp = "lint-live-activity-timestamp"
    case liveActivityContentState = "lint-live-activity-content-state"
    case liveActivityStart = "lint-live-activity-start"
    case alertOutsideAPS = "lint-alert-outside-aps"
    case keyOutsideAPS = "lint-key-outside-aps"
    case keyMisspelt = "lint-key-misspelt"
    case keyType = "lint-key-type"
  }
}

// MARK: - Push type and priority

extension APNsLint {
  /// Omitted, or another one than topic and payload speak for (Apple: Sending notification requests to
  /// APNs).
  private mutating func checkPushType() {
    guard let fitting = fittingType?.text.description else { return }
    guard push.pushType != nil else {
      return warn(
        .pushTypeMissing, expected: fitting,
        "apns-push-type is omitted, and the push is of type \(fitting): watchOS 6 and later need the "
          + "field, and iOS 13 and later may drop background pushes without it")
    }
    switch (type, fittingType) {
    case (.alert, .background):
      warn(
        .pushTypeContradicts, at: "/aps/content-available", expected: "background", found: "alert",
        "apns-push-type is alert, and the payload has nothing to show: send background for "
          + "content-available alone")
    case (.alert, .liveactivity), (.background, .liveactivity):
      warn(
        .pushTypeContradicts, at: "/aps/event", expected: fitting, found: push.pushType ?? "",
        "the payload is that of a Live Activity; send it with apns-push-type liveactivity and the "
          + "topic that ends with .push-type.liveactivity")
    default: break
    }
  }

  /// Pushes of type background carry content-available alone, with priority 5 (Apple: Pushing
  /// background updates to your app; "using priority 10 is an error").
  private mutating func checkBackground() {
    guard (type ?? fittingType) == .background else { return }
    if let visibleKey {
      warn(
        .backgroundWithAlert, at: "/aps/" + visibleKey, expected: "no alert, badge or sound",
        found: visibleKey,
        "a push of type background has \(visibleKey), which is not shown; send type alert")
    } else if !isContentAvailable, type == .background, !isOfWallet, fittingType == nil {
      warn(
        .pushTypeContradicts, at: "/aps/content-available", expected: "1",
        found: found("content-available"),
        "a push of type background has no content-available 1, so the app is not woken")
    }
    // Without the field the priority is 10.
    if (push.priority ?? 10) == 10 {
      warn(
        .backgroundPriority, expected: "5", found: push.priority.map { "\($0)" } ?? "",
        "a background push needs apns-priority 5; 10, which is also the default, is an error")
    }
  }

  /// Wallet's pass updates have no payload but `{}` or an empty `aps`.
  private var isOfWallet: Bool {
    root.members.allSatisfy { $0.key == "aps" } && aps.members.isEmpty
  }

  /// A value of `aps` as JSON, empty when it is absent.
  func found(_ key: String) -> String {
    aps[key].map { String(decoding: $0.serialized(), as: UTF8.self) } ?? ""
  }
}
