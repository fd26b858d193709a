internal import PushpitJSON

/// A message to FCM's HTTP v1 API, as a provider sends it.
public struct FCMMessage: Sendable, Equatable {
  /// What the request has under `message`, as JSON text.
  public var message: String
  /// The Firebase project of the path; nil for that of the gateway's service account.
  public var projectID: String?

  /// A message of your own.
  /// - Parameter message: What the request has under `message`, as JSON text.
  public init(message: String) {
    self.message = message
  }

  /// A message to one device.
  /// - Parameters:
  ///   - registrationToken: The registration token.
  ///   - title: The title of the notification; without title and body there is none.
  ///   - body: The text of the notification.
  ///   - data: What the app gets beside it.
  public init(
    to registrationToken: String, title: String? = nil, body: String? = nil,
    data: [String: String] = [:]
  ) {
    var message = JSONObject(["token": .string(registrationToken)])
    var notification = JSONObject()
    if let title { notification["title"] = .string(title) }
    if let body { notification["body"] = .string(body) }
    if title != nil || body != nil { message["notification"] = .object(notification) }
    if !data.isEmpty {
      var map = JSONObject()
      for (key, value) in data.sorted(by: { $0.key < $1.key }) { map[key] = .string(value) }
      message["data"] = .object(map)
    }
    self.init(message: String(decoding: JSONValue.object(message).serialized(), as: UTF8.self))
  }
}
