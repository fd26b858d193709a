internal import PushpitJSON

/// A push to APNs, as a provider sends it.
public struct APNsPush: Sendable, Equatable {
  /// The device token, in hexadecimal.
  public var deviceToken: String
  /// `apns-topic`: the app's bundle ID, or one made of it.
  public var topic: String
  /// The payload as JSON text.
  public var payload: String
  /// `apns-push-type`.
  public var pushType = "alert"
  /// `apns-priority`; nil leaves it out.
  public var priority: Int?
  /// `apns-expiration` in seconds since 1970; nil leaves it out.
  public var expiration: Int?
  /// `apns-collapse-id`; nil leaves it out.
  public var collapseID: String?
  /// The environment whose host of Apple is named; nil for the gateway's own name.
  public var environment: PushEnvironment?

  /// A push with a payload of its own.
  /// - Parameters:
  ///   - deviceToken: The device token.
  ///   - topic: The app's bundle ID.
  ///   - payload: The payload as JSON text.
  public init(to deviceToken: String, topic: String = "com.example.app", payload: String) {
    self.deviceToken = deviceToken
    self.topic = topic
    self.payload = payload
  }

  /// A push that shows a notification.
  /// - Parameters:
  ///   - deviceToken: The device token.
  ///   - topic: The app's bundle ID.
  ///   - title: The title.
  ///   - body: The text.
  public init(
    to deviceToken: String, topic: String = "com.example.app", title: String, body: String
  ) {
    let payload: JSONValue = [
      "aps": ["alert": ["title": .string(title), "body": .string(body)]]
    ]
    self.init(
      to: deviceToken, topic: topic, payload: String(decoding: payload.serialized(), as: UTF8.self))
  }
}
