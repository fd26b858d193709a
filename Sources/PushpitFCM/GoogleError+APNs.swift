import PushpitModel

/// The errors of messages that APNs has refused.
extension GoogleError {
  /// What FCM makes of APNs' answer.
  ///
  /// Captured in the wild are 410 and 403, 410 with both a 404 and, for Live Activities and devices, a
  /// 400. Of the others only Google's codes are documented: that they have an ApnsError too is assumed,
  /// except where FCM has an error of its own.
  static func refusedByAPNs(
    _ refusal: APNsRelay.Refusal, isLiveActivity: Bool, wire: Policies.Wire
  ) -> GoogleError {
    let detail = Detail.apnsError(statusCode: refusal.status, reason: refusal.reason)
    return switch refusal.status {
    case 410 where isLiveActivity:
      GoogleError(
        status: .invalidArgument, message: "APNs device token is disabled.",
        details: [.fcmError(.invalidArgument), detail])
    case 410:
      GoogleError(
        status: .notFound, message: unregistered.message, details: unregistered.details + [detail])
    case 403: thirdPartyAuthError(detail, wire: wire)
    case 413: messageTooLarge
    case 429:
      GoogleError(
        status: .resourceExhausted, message: "Resource has been exhausted (e.g. check quota).",
        details: [.fcmError(.quotaExceeded), detail])
    case 500...: unavailable(retryAfter: nil)
    default:
      GoogleError(
        status: .invalidArgument, message: "Request contains an invalid argument.",
        details: [.fcmError(.invalidArgument), detail])
    }
  }

  /// APNs does not take the project's key: in answers of 2026 with the text of a missing credential
  /// (firebase-admin-node issue 3215), before with one of its own; no capture shows a challenge.
  private static func thirdPartyAuthError(_ detail: Detail, wire: Policies.Wire) -> GoogleError {
    let message =
      switch wire {
      case .observed: missingCredentialMessage
      case .documented: "Auth error from APNS or Web Push Service"
      }
    return GoogleError(
      status: .unauthenticated, message: message,
      details: [.fcmError(.thirdPartyAuthError), detail])
  }

  /// An iOS app that APNs says was uninstalled (seen in the wild).
  static let unregisteredAtAPNs = GoogleError(
    status: .notFound, message: unregistered.message,
    details: unregistered.details + [.apnsError(statusCode: 410, reason: "Unregistered")])
}
