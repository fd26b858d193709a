internal import PushpitHTTPTypes
internal import PushpitJSON

/// What the gateway answered to a push.
public struct PushAnswer: Sendable, Equatable {
  /// The HTTP status: 200 for a push that was accepted.
  public let status: Int
  /// `apns-id` of APNs.
  public let apnsID: String?
  /// `reason` of APNs, as `BadDeviceToken`, or `errorCode` of FCM, as `UNREGISTERED`, or its status where it
  /// has none.
  public let reason: String?
  /// The name that FCM gave the message.
  public let messageName: String?
  /// The body as text.
  public let body: String

  /// Whether the push was accepted.
  public var isAccepted: Bool { status == 200 }

  init(_ response: Response) {
    let json = (try? JSONReader.parse(response.body)) ?? .null
    let error = json["error"]
    let code = (error?["details"]?.arrayValue ?? []).compactMap { $0["errorCode"]?.stringValue }
    status = response.head.status
    apnsID = response.head.fields.text("apns-id")
    reason = json["reason"]?.stringValue ?? code.first ?? error?["status"]?.stringValue
    messageName = json["name"]?.stringValue
    body = String(decoding: response.body, as: UTF8.self)
  }
}
