internal import PushpitDevices
internal import PushpitJSON
internal import PushpitModel

/// A push that reached a device.
public struct ReceivedPush: Sendable, Equatable {
  /// The envelope that it came in, as `e42`: the same as in `TestGateway.envelopes()`.
  public let envelope: String
  /// The service that it was sent to.
  public let service: PushService
  /// The title of the notification.
  public let title: String?
  /// The text of the notification.
  public let body: String?
  /// What the app gets beside the notification: APNs' keys beside `aps`, or FCM's `data`.
  ///
  /// A value that is no string is its JSON text.
  public let data: [String: String]
  /// The payload that reached the device, as JSON text: APNs' payload, or FCM's effective message.
  public let payload: String
  /// What the device has done with it.
  public let state: PushState
  /// Why it has that state, in a few words.
  public let cause: String
  /// The payload contract that the app's SDK read it by, such as `respondo`; nil when it is none of the
  /// SDK's.
  public let contract: String?
  /// The SDK's ID of the message.
  public let messageID: String?
  /// The SDK's ID of the campaign's delivery.
  public let deliveryID: String?
  /// What a tap opens, where the contract names it.
  public let deepLink: String?

  /// The payload's bytes as they came.
  public var payloadBytes: [UInt8] { Array(payload.utf8) }

  /// Reads a push as the console shows it, with its life on the device as an envelope has it.
  init(_ item: JSONValue, delivery: JSONValue?, payload: JSONValue?) {
    func text(_ name: String) -> String? { item[name]?.stringValue }
    envelope = text("envelope") ?? ""
    service = text("service").flatMap { PushService(rawValue: $0) } ?? .unknown
    title = text("title")
    body = text("body")
    data = Self.texts(item["data"])
    self.payload = String(decoding: payload?.serialized() ?? [], as: UTF8.self)
    let state = delivery?["state"]?.stringValue ?? text("state")
    self.state = state.flatMap { PushState(rawValue: $0) } ?? .delivered
    cause = delivery?["cause"]?.stringValue ?? ""
    contract = text("contract")
    messageID = text("messageID")
    deliveryID = text("deliveryID")
    deepLink = text("deepLink")
  }

  /// The members of an object as texts; a value that is no string is its JSON.
  private static func texts(_ object: JSONValue?) -> [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in object?.objectValue?.members ?? [] {
      texts[key] = value.stringValue ?? String(decoding: value.serialized(), as: UTF8.self)
    }
    return texts
  }

  init(_ push: DevicePush, cause: String) {
    let content = push.content
    envelope = EnvelopeID.text(push.envelope)
    service = PushService(push.service)
    title = content.title
    body = content.body
    data = Self.texts(content.data)
    payload = String(decoding: push.payload, as: UTF8.self)
    state = PushState(push.state)
    self.cause = cause
    contract = push.reading?.contract
    messageID = push.reading?.content.messageID
    deliveryID = push.reading?.content.deliveryID
    deepLink = push.reading?.content.deepLink
  }
}
