internal import PushpitModel

/// An APNs environment; a device token belongs to exactly one.
public enum PushEnvironment: String, Sendable, CaseIterable {
  /// Apps built for development.
  case sandbox
  /// Apps of TestFlight and the App Store.
  case production

  var modelled: APNsEnvironment {
    switch self {
    case .sandbox: .sandbox
    case .production: .production
    }
  }

  /// Apple's host of the environment.
  var host: String {
    switch self {
    case .sandbox: "api.sandbox.push.apple.com"
    case .production: "api.push.apple.com"
    }
  }
}
