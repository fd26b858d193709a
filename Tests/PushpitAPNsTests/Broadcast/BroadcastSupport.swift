import PushpitModel

@testable import PushpitAPNs

/// Requests about channels, each valid until something is broken.
extension Gateway {
  static let channelsPath = "/1/apps/\(topic)/channels"
  static let requestID = "8f0a1b2c-3d4e-4f60-9a7b-0c1d2e3f4a5b"

  /// A request about channels at no host of Apple's.
  func channelRequest(_ method: String, _ path: String = Gateway.channelsPath) -> TestPush {
    var push = TestPush()
    push.method = method
    push.target = path
    push.authority = "localhost:2197"
    push.fields = [
      ("authorization", authorization), ("apns-request-id", Self.requestID),
    ]
    push.body = []
    return push
  }

  /// Creates a channel.
  var validCreation: TestPush {
    var push = channelRequest("POST")
    push.body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
    return push
  }

  /// Sends to a channel.
  func validBroadcast(_ channel: String) -> TestPush {
    var push = channelRequest("POST", "/4/broadcasts/apps/\(Self.topic)")
    push.fields += [
      ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-priority", "10"),
      ("apns-expiration", "0"),
    ]
    push.body = Array(
      #"{"aps":{"timestamp":1700000000,"event":"update","content-state":{"score":1}}}"#.utf8)
    return push
  }

  /// Makes a channel, and returns its id.
  func makeChannel(
    policy: Int = 1, _ change: (inout TestPush) -> Void = { _ in }
  ) -> String {
    var push = validCreation
    push.body = Array(#"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#.utf8)
    change(&push)
    let field = send(push).fields.first { $0.hasPrefix("apns-channel-id: ") }
    // The next request is the first of its connection, so that it may bring another key.
    connection = APNsConnectionState()
    return String((field ?? "").dropFirst("apns-channel-id: ".count))
  }

  /// Sends a request with a change.
  func send(_ push: TestPush, _ change: (inout TestPush) -> Void) -> TestAnswer {
    var push = push
    change(&push)
    return send(push)
  }
}

extension TestPush {
  /// Replaces the payload.
  mutating func setBody(_ text: String) { body = Array(text.utf8) }

  /// Makes the payload a good update of this size.
  mutating func setUpdate(byteCount: Int) {
    setBody(#"{"aps":{"event":"update"}}"#)
    body += [UInt8](repeating: 0x20, count: byteCount - body.count)
  }
}
