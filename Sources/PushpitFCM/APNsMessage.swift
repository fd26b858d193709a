import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// The push that FCM makes of a message for an iOS app, ready for APNs.
///
/// Google: `apns.headers` become the request's headers and `apns.payload` its payload, whose alert
/// overrides the common title and body.
struct APNsMessage {
  /// How long APNs stores it when the message does not say so (Google's discovery document: "a default
  /// value for `apns-expiration` of 30 days").
  static let defaultLifetime: Int64 = 30 * 86_400

  /// What the app's device gets.
  let payload: [UInt8]
  /// `apns-expiration` in seconds since 1970; nil when it is no number.
  let expiration: Int64?
  /// `apns-collapse-id`; empty without one.
  let collapse: ArraySlice<UInt8>
  /// By `apns-priority` and `apns-push-type`.
  let manner: PushManner
  /// The request to APNs.
  let request: PushRequest

  /// Makes the push to the app of a registration token, or to its Live Activity's.
  ///
  /// `messageID` is the last part of the message's name; the time is real.
  init(
    _ message: FCMMessage, to record: TokenRecord, at apnsToken: TokenRecord, messageID: String,
    from account: ServiceAccount, receivedAt: Timestamp
  ) {
    let root = Self.payload(message, to: record, messageID: messageID, from: account)
    payload = JSONValue.object(root).serialized()
    let activityToken = message.liveActivityToken
    let token = activityToken ?? String(decoding: apnsToken.token, as: UTF8.self)
    let type = Self.pushType(of: root, isLiveActivity: activityToken != nil)
    let topic = Self.topic(of: record, apnsToken, isLiveActivity: activityToken != nil)
    var headers: [(name: String, value: String)] = [
      ("apns-topic", topic), ("apns-push-type", type),
      // Google: data-only messages may have no other priority than 5.
      ("apns-priority", type == "background" ? "5" : "10"),
      ("apns-expiration", String(receivedAt.seconds + Self.defaultLifetime)),
    ]
    for member in message.fields["apns"]?["headers"]?.objectValue?.members ?? [] {
      // No other field reaches APNs: whatever an `authorization` here says, FCM has a key of its own.
      let name = member.key.lowercased()
      guard name.hasPrefix("apns-"), let value = member.value.stringValue else { continue }
      headers.removeAll { $0.name == name }
      headers.append((name, value))
    }
    expiration = headers.first { $0.name == "apns-expiration" }.flatMap { Int64($0.value) }
    collapse = Array((headers.first { $0.name == "apns-collapse-id" }?.value ?? "").utf8)[...]
    manner = PushManner(
      isUrgent: headers.contains { $0.name == "apns-priority" && $0.value == "10" },
      isBackground: headers.contains { $0.name == "apns-push-type" && $0.value == "background" })
    var head = RequestHead(method: "POST", target: "/3/device/" + PercentCoding.encode(token))
    for header in headers { head.fields.append(header.name, header.value) }
    request = PushRequest(
      head: head, body: payload, environment: apnsToken.environment ?? .sandbox,
      receivedAt: receivedAt)
  }

  /// The bundle ID, with the suffix of Live Activities where the token is one's.
  private static func topic(
    of record: TokenRecord, _ apnsToken: TokenRecord, isLiveActivity: Bool
  ) -> String {
    guard isLiveActivity, let app = record.app else {
      return String(decoding: apnsToken.topic, as: UTF8.self)
    }
    return String(decoding: DeviceTokenKind.liveactivity.topic(of: app), as: UTF8.self)
  }

  /// What the push is when its headers do not say so.
  ///
  /// Assumed, since no capture shows what FCM writes: a background push when there is nothing to show,
  /// to play or to count, as Apple defines that type.
  private static func pushType(of root: JSONObject, isLiveActivity: Bool) -> String {
    guard !isLiveActivity else { return "liveactivity" }
    let isVisible = ["alert", "sound", "badge"].contains { root["aps"]?[$0] != nil }
    return isVisible ? "alert" : "background"
  }

  /// The data at the root, `apns.payload` over it, the notification as alert, and FCM's own keys, which
  /// apps' logs show from 2020 to 2025.
  private static func payload(
    _ message: FCMMessage, to record: TokenRecord, messageID: String, from account: ServiceAccount
  ) -> JSONObject {
    let own = message.fields["apns"]?["payload"]?.objectValue ?? JSONObject()
    var aps = own["aps"]?.objectValue ?? JSONObject()
    if aps["alert"] == nil, let alert = alert(of: message) { aps["alert"] = .object(alert) }
    var root = JSONObject()
    if own["aps"] != nil || !aps.members.isEmpty { root["aps"] = .object(aps) }
    let data = message.fields["data"]?.objectValue ?? JSONObject()
    for member in data.members + own.members where member.key != "aps" {
      root[member.key] = member.value
    }
    let image =
      message.fields["apns"]?["fcm_options"]?["image"] ?? message.fields["notification"]?["image"]
    if let image { root["fcm_options"] = ["image": image] }
    root["gcm.message_id"] = .string(messageID)
    root["google.c.a.e"] = "1"
    root["google.c.fid"] = .string(
      String(decoding: record.token.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    root["google.c.sender.id"] = .string(account.projectNumber)
    return root
  }

  private static func alert(of message: FCMMessage) -> JSONObject? {
    var alert = JSONObject()
    for key in ["title", "body"] {
      if let text = message.fields["notification"]?[key] { alert[key] = text }
    }
    return alert.members.isEmpty ? nil : alert
  }
}
