import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// What FCM checks in a message that fits the schema, before it looks the token up.
struct MessageRules {
  /// The largest message to a token in bytes of keys and values, as documented.
  static let tokenByteLimit = 4096
  /// The same for a topic, as measured on 2026-07-09: 4,506 bytes pass, 4,507 do not.
  static let topicByteLimit = 4506
  /// The same for a topic as documented, which production does not enforce.
  static let documentedTopicByteLimit = 2048
  /// The longest token in bytes: many times what was ever seen (163), since open workspaces remember
  /// tokens that nobody registered.
  static let tokenLengthLimit = 4096
  /// The longest time to live in seconds: four weeks.
  static let timeToLiveLimit: Int64 = 2_419_200

  /// Whether topics have the documented limit and not the measured one.
  let isSizeAsDocumented: Bool
  /// The platform of the device that a token is of; nil where it is not known.
  let platform: (_ token: [UInt8]) -> Platform?
  /// Where a text that is no token may be the key of a device group.
  var workspace: Workspace?

  /// Checks one after the other; the first that fails is the answer.
  func check(_ message: FCMMessage) throws(FCMRefusal) -> FCMMessage.Target {
    guard let target = message.target else {
      throw FCMRefusal(.recipientNotSet, FCMDiagnoses.noTarget)
    }
    try checkForm(of: target)
    guard message.fields["android"] == nil || message.fields["android_v2"] == nil else {
      throw FCMRefusal(.bothAndroidConfigs, FCMDiagnoses.bothAndroidConfigs)
    }
    try checkKeys(message.fields["data"], of: "message.data")
    if let android = message.android {
      try checkKeys(android.config["data"], of: "message.\(android.name).data")
    }
    if let data = message.fields["webpush"]?["data"] {
      try checkKeys(data, of: "message.webpush.data")
    }
    try checkTimeToLive(message)
    try APSTypes.check(message)
    try checkSize(message, target)
    return target
  }

  private func checkForm(of target: FCMMessage.Target) throws(FCMRefusal) {
    switch target {
    case .token(let token, let field):
      guard let diagnosis = Self.faultOfForm(token, field: field) else { return }
      let isGroup = workspace?.groups[token] != nil
      let isForToken = field == "message.token"
      if isForToken, isGroup { return }
      throw FCMRefusal(
        .tokenInvalid(field: field), Self.faultOfKey(token, isGroup, isForToken) ?? diagnosis)
    case .topic(let name):
      guard FCMTopicName.isValid(name.utf8) else {
        throw FCMRefusal(.topicInvalid, FCMDiagnoses.topicInvalid(name))
      }
    case .condition(let text):
      guard TopicCondition(text) != nil else {
        throw FCMRefusal(.conditionInvalid, FCMDiagnoses.conditionInvalid(text))
      }
    }
  }

  /// What is wrong with the form of a token; `token` takes an installation ID too, `fid` nothing
  /// else (Google's discovery document).
  static func faultOfForm(_ token: [UInt8], field: String) -> Diagnosis? {
    guard token.count <= tokenLengthLimit else { return FCMDiagnoses.tokenMalformed(token) }
    return switch TokenShape.kind(of: token) {
    case .apns: FCMDiagnoses.apnsTokenAtFCM(token)
    case .fid: nil
    case .fcm where token.contains(UInt8(ascii: "%")): FCMDiagnoses.tokenPercentEncoded(token)
    case .fcm: field == "message.fid" ? FCMDiagnoses.tokenInFID(token) : nil
    case .malformed: FCMDiagnoses.tokenMalformed(token)
    }
  }

  /// What is wrong with a text that is the key of a device group, or has the form of one; nil for others.
  private static func faultOfKey(
    _ key: [UInt8], _ isGroup: Bool, _ isForToken: Bool
  ) -> Diagnosis? {
    guard isForToken else { return isGroup ? FCMDiagnoses.notificationKeyInFID(key) : nil }
    guard key.starts(with: DeviceGroups.keyStart.utf8), !key.contains(UInt8(ascii: ":"))
    else { return nil }
    return FCMDiagnoses.notificationKeyUnknown(key)
  }

  private func checkKeys(_ data: JSONValue?, of path: String) throws(FCMRefusal) {
    guard case .object(let data)? = data else { return }
    for (index, member) in data.members.enumerated() where Self.isReserved(member.key) {
      throw FCMRefusal(
        .dataKeyReserved(member.key, field: "\(path)[\(index)].key"),
        FCMDiagnoses.dataKeyReserved(member.key))
    }
  }

  private static func isReserved(_ key: String) -> Bool {
    var key = key
    return key.withUTF8 { isReserved($0) }
  }

  /// Google's discovery document, and `gcm` of the page on error codes.
  static func isReserved(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    switch key.first {
    case UInt8(ascii: "f"): key.isEqual("from")
    case UInt8(ascii: "m"): key.isEqual("message_type")
    case UInt8(ascii: "g"):
      key.isEqual("gcm") || key.begins(with: "google.") || key.begins(with: "gcm.notification.")
    default: false
    }
  }

  private func checkTimeToLive(_ message: FCMMessage) throws(FCMRefusal) {
    if let android = message.android, let text = android.config["ttl"]?.stringValue,
      let ttl = try? ProtoDuration.parse(text)
    {
      // Google: "rounded down to the nearest second".
      guard ttl >= .zero, ttl.components.seconds <= Self.timeToLiveLimit else {
        throw FCMRefusal(
          .timeToLiveOutOfRange(field: "message.\(android.name).ttl"),
          FCMDiagnoses.timeToLiveOutOfRange(text))
      }
    }
    if let text = message.header("ttl", of: "webpush"), UInt64(text) == nil {
      throw FCMRefusal(.webpushTTLInvalid, FCMDiagnoses.webpushTTLInvalid(text))
    }
  }

  private func checkSize(
    _ message: FCMMessage, _ target: FCMMessage.Target
  ) throws(FCMRefusal) {
    let platform: Platform? =
      switch target {
      case .token(let token, _): platform(token)
      case .topic, .condition: nil
      }
    let count = EffectiveMessage.byteCount(message, platform: platform)
    let limit = limit(for: target)
    guard count <= limit else {
      throw FCMRefusal(
        .messageTooLarge, FCMDiagnoses.messageTooLarge(count, limit: limit, on: platform))
    }
  }

  private func limit(for target: FCMMessage.Target) -> Int {
    switch target {
    case .token: Self.tokenByteLimit
    case .topic, .condition:
      isSizeAsDocumented ? Self.documentedTopicByteLimit : Self.topicByteLimit
    }
  }
}
