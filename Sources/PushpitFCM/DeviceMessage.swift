import PushpitJSON
import PushpitModel

/// What delivery needs to know of a message for one platform, or for one that is not known.
struct DeviceMessage {
  /// The effective message as JSON.
  let payload: [UInt8]
  /// The collapse key, or APNs' identifier; empty without one.
  private(set) var collapse: [UInt8] = []
  /// Of Android and the web; nil for the service's default.
  private(set) var timeToLive: Duration?
  /// iOS: `apns-expiration`.
  private(set) var expiration: Int64?

  init(_ message: FCMMessage, platform: Platform?) {
    payload = EffectiveMessage(message, platform: platform).json
    switch platform {
    case .ios:
      collapse = Array((message.header("apns-collapse-id", of: "apns") ?? "").utf8)
      expiration = message.header("apns-expiration", of: "apns").flatMap { Int64($0) }
    case .web:
      let seconds = message.header("ttl", of: "webpush").flatMap { Int64($0) }
      timeToLive = seconds.map { .seconds($0) }
    case .android, nil:
      let config = message.android?.config
      collapse = Array((config?["collapse_key"]?.stringValue ?? "").utf8)
      if let text = config?["ttl"]?.stringValue, let ttl = try? ProtoDuration.parse(text) {
        // Google: "rounded down to the nearest second".
        timeToLive = .seconds(ttl.components.seconds)
      }
    }
  }
}

extension FanOut {
  /// Brings a message to many, each platform its own part of it.
  convenience init(_ message: FCMMessage, to recipients: Recipients, from account: ServiceAccount) {
    let package = message.android?.config["restricted_package_name"]?.stringValue
    self.init(
      recipients: recipients, projects: [account.projectID, account.projectNumber],
      restrictedPackageName: package?.isEmpty == true ? nil : package
    ) { platform in
      let part = DeviceMessage(message, platform: platform)
      return Message(
        payload: part.payload, collapse: part.collapse, timeToLive: part.timeToLive)
    }
  }
}
