internal import PushpitModel

/// What a simulated device is.
public enum TestPlatform: String, Sendable, CaseIterable {
  /// An iPhone; reached by APNs.
  case ios
  /// An Android phone; reached by FCM.
  case android
  /// A browser; reached by FCM.
  case web

  var modelled: Platform {
    switch self {
    case .ios: .ios
    case .android: .android
    case .web: .web
    }
  }
}
