internal import PushpitJSON
package import PushpitModel

/// Breaches of contracts as warnings of envelopes: of every payload that has a known key, whatever contract its
/// device follows.
extension ContractDirectory {
  /// What breaks the contracts whose keys a recorded push has; pushes that the vendor refused are read too,
  /// because the breach is often why.
  package func warnings(of push: RecordedPush, _ settings: ContractSettings) -> [PayloadWarning] {
    var warnings: [PayloadWarning] = []
    for payload in Self.payloads(of: push) {
      for contract in all {
        guard let reading = contract.read(payload, settings) else { continue }
        warnings += reading.breaches.filter { !warnings.contains($0) }
      }
    }
    return warnings
  }

  /// What devices are handed of a push.
  private static func payloads(of push: RecordedPush) -> [ClientPayload] {
    switch push.service {
    case .apns: return [ClientPayload(userInfo: push.payload)]
    case .fcm: break
    case .iid, .oauth, .unknown: return []
    }
    guard let message = push.payload["message"] else { return [] }
    switch push.platform {
    case .android: return [android(message)]
    case .web: return [web(message)]
    case .ios: return ios(message)
    case nil:
      // Of many devices, or of none that is known: every part that the message has.
      return [android(message)] + (message["apns"]?["payload"] == nil ? [] : ios(message))
        + (message["webpush"]?["data"] == nil ? [] : [web(message)])
    }
  }

  private static func android(_ message: JSONValue) -> ClientPayload {
    let name = ["android", "android_v2", "androidV2"].first { message[$0] != nil } ?? "android"
    let notification =
      message[name]?["notification"]
      ?? (message[name]?["remote_notification"] ?? message[name]?["remoteNotification"])?[
        "notification"]
    return part(name, of: message, notification, .android)
  }

  private static func web(_ message: JSONValue) -> ClientPayload {
    part("webpush", of: message, message["webpush"]?["notification"], .web)
  }

  /// A platform's own data takes the place of the common map (Google's reference).
  private static func part(
    _ name: String, of message: JSONValue, _ notification: JSONValue?, _ platform: Platform
  ) -> ClientPayload {
    let own = message[name]?["data"]
    let isOwn = own?.objectValue?.members.isEmpty == false
    return ClientPayload(
      platform: platform, map: (isOwn ? own : message["data"]) ?? [:],
      hasAlert: ClientPayload.isNotification(notification)
        || ClientPayload.isNotification(message["notification"]),
      pointer: isOwn ? "/message/\(name)/data" : "/message/data")
  }

  /// FCM lays `apns.payload` over the data at the root of APNs' payload, and its alert over the notification:
  /// two maps, of which the second has what is not in the first.
  private static func ios(_ message: JSONValue) -> [ClientPayload] {
    let own = message["apns"]?["payload"]?.objectValue ?? JSONObject()
    let data = message["data"]?.objectValue ?? JSONObject()
    let alert = own["aps"]?["alert"]
    let hasAlert =
      alert == nil
      ? ClientPayload.isNotification(message["notification"]) : ClientPayload.isAlert(alert)
    let ownKeys = Set(own.members.map(\.key))
    var rest = JSONObject()
    rest.members = data.members.filter { !ownKeys.contains($0.key) }
    return [(own, "/message/apns/payload"), (rest, "/message/data")].map { map, pointer in
      ClientPayload(platform: .ios, map: .object(map), hasAlert: hasAlert, pointer: pointer)
    }
  }
}
