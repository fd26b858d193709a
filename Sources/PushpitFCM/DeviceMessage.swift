import PushpitJSON
import PushpitModel

/// What delivery needs to know of a message for Android or the web.
struct DeviceMessage {
  /// The effective message as JSON.
  let payload: [UInt8]
  /// The collapse key; empty without one.
  private(set) var collapse: [UInt8] = []
  /// Nil for the service's default.
  private(set) var timeToLive: Duration?

  /// What an Android app gets, and a device of which nothing is known.
  static func android(_ message: FCMMessage) -> DeviceMessage {
    var part = DeviceMessage(payload: EffectiveMessage(message, platform: .android).json)
    let config = message.android?.config
    part.collapse = Array((config?["collapse_key"]?.stringValue ?? "").utf8)
    if let text = config?["ttl"]?.stringValue, let ttl = try? ProtoDuration.parse(text) {
      // Google: "rounded down to the nearest second".
      part.timeToLive = .seconds(ttl.components.seconds)
    }
    return part
  }

  /// What a web app gets.
  static func web(_ message: FCMMessage) -> DeviceMessage {
    var part = DeviceMessage(payload: EffectiveMessage(message, platform: .web).json)
    let seconds = message.header("ttl", of: "webpush").flatMap { Int64($0) }
    part.timeToLive = seconds.map { .seconds($0) }
    return part
  }

  private init(payload: [UInt8]) {
    self.payload = payload
  }
}
