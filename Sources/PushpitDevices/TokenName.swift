package import PushpitModel

/// One of a device's tokens, by its name in the device's `tokens`.
package enum TokenName: Sendable, Equatable {
  case apns(DeviceTokenKind)
  case fcm

  package init?(_ name: String) {
    if name == "fcm" {
      self = .fcm
    } else if let kind = DeviceTokenKind(rawValue: name) {
      self = .apns(kind)
    } else {
      return nil
    }
  }

  /// All names.
  package static let all = DeviceTokenKind.allCases.map(\.rawValue) + ["fcm"]

  /// The name.
  package var text: String {
    switch self {
    case .apns(let kind): kind.rawValue
    case .fcm: "fcm"
    }
  }
}

extension Device {
  /// The token of a name; a Live Activity's is that of the newest one that runs.
  package func token(_ name: TokenName) -> TokenRecord? {
    switch name {
    case .fcm: fcmToken
    case .apns(.app): apnsToken
    case .apns(.liveactivity):
      activities.last { $0.state == .active && $0.token != nil }?.token
    case .apns(let kind): furtherTokens.first { $0.purpose == kind }
    }
  }

  /// The token that is meant when none is named: that of its platform's vendor.
  var mainTokenName: TokenName { platform == .ios ? .apns(.app) : .fcm }
}
