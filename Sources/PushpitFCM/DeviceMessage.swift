import PushpitJSON
import PushpitModel

/// What delivery needs to know of a message for Android or the web.
struct DeviceMessage {
  /// The effective message as JSON.
  let payload: [UInt8]
  /// The collapse key that the message names; empty without one.
  private(set) var collapse: [UInt8] = []
  /// Whether it collapses with its app's others that name no key either.
  private(set) var collapsesByApp = false
  /// Nil for the service's default.
  private(set) var timeToLive: Duration?
  /// Whether its priority is `HIGH`.
  private(set) var isUrgent = true

  /// What an Android app gets, and a device of which nothing is known.
  static func android(_ message: FCMMessage) -> DeviceMessage {
    let effective = EffectiveMessage(message, platform: .android)
    var part = DeviceMessage(payload: effective.json)
    let config = message.android?.config
    part.collapse = Array((config?["collapse_key"]?.stringValue ?? "").utf8)
    // Google, "Non-collapsible and collapsible messages": notification messages are always collapsible,
    // by default with the package name as the key.
    part.collapsesByApp = part.collapse.isEmpty && !effective.notification.members.isEmpty
    // Google's discovery document: NORMAL for data messages, HIGH for notification messages by default.
    part.isUrgent =
      switch config?["priority"]?.stringValue {
      case "HIGH": true
      case "NORMAL": false
      default: !effective.notification.members.isEmpty
      }
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
