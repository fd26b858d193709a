internal import PushpitModel

/// A vendor's service that requests are for.
public enum PushService: String, Sendable, CaseIterable {
  /// Apple's push notification service.
  case apns
  /// Firebase Cloud Messaging.
  case fcm
  /// Google's Instance ID service, for topics and imported tokens.
  case iid
  /// Google's access tokens.
  case oauth
  /// None of them.
  case unknown

  init(_ service: PushpitModel.PushService) {
    self =
      switch service {
      case .apns: .apns
      case .fcm: .fcm
      case .iid: .iid
      case .oauth: .oauth
      case .unknown: .unknown
      }
  }
}
