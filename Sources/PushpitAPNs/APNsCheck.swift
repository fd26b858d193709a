internal import PushpitModel

/// The checks of a device push in their order: the first that fails makes the answer.
///
/// The order is observed where a comment names a year, documented where it names a page, and an
/// assumption otherwise: then the reason for the default stands beside it.
enum APNsCheck: CaseIterable {
  /// BadCertificate, BadCertificateEnvironment. Before everything: it is no answer but a GOAWAY when
  /// the connection begins, observed 2016 to 2018 and 2022 (buford issue 76, apns2 issues 93 and 117,
  /// gun issue 308).
  case certificate
  /// MethodNotAllowed. First: an unauthenticated GET of `/3/device/` is a 405, observed 2019 and
  /// 2026 on the hosts of both environments.
  case method
  /// MissingProviderToken. Before anything about device token, topic or body: an unauthenticated
  /// POST of a malformed token without topic gets it, observed 2026. This check and all others of
  /// provider tokens let everything through that comes with a client certificate: then APNs ignores
  /// `authorization` (Apple: Sending notification requests to APNs).
  case providerTokenPresence
  /// ExpiredProviderToken or InternalServerError of a connection that has answered
  /// ExpiredProviderToken before: also to a new token, so before anything that a token says (Pushy
  /// pull request 783, 2020). Assumed to come after the token's presence, which needs no memory.
  case wedge
  /// InvalidProviderToken. Before the device token: 64 zeros with a key that APNs does not know get
  /// it, observed 2026. Assumed to come before the age, since nothing that a token says counts before
  /// its signature is good.
  case providerTokenValidity
  /// ExpiredProviderToken. Assumed to come before the environment, which needs the key's record and
  /// not the token alone.
  case providerTokenAge
  /// BadEnvironmentKeyInToken. Assumed to come before what only this connection forbids.
  case providerTokenEnvironment
  /// InvalidProviderToken of another team and UnrelatedKeyIdInToken of another key than those of the
  /// connection's first token (Apple: Establishing a token-based connection to APNs). Assumed to come
  /// before the count of tokens, to which a token that must not be used here does not add.
  case connectionKey
  /// TooManyProviderTokenUpdates (Apple: the same page). Assumed to be the last of the token's
  /// checks: only a token that is good by itself is an update.
  case providerTokenUpdates
  /// BadPath. Assumed to come after authentication, as everything but the method does.
  case path
  /// MissingDeviceToken. After authentication: `POST /3/device/` with a good credential, observed
  /// 2026, with a certificate too; without a credential it is MissingProviderToken.
  case tokenPresence
  /// BadDeviceToken of what cannot be a token. With good credentials a bogus token gets it although
  /// the request has no fields: probe scripts use that as the proof of good credentials. Assumed: so it
  /// does where fields are wrong.
  case tokenShape
  /// DuplicateHeaders (Apple: Handling notification responses). Assumed to come before the fields'
  /// values, which it makes ambiguous.
  case duplicateHeaders
  /// BadMessageId. Assumed to be the first of the values, because every answer has the id.
  case messageID
  /// MissingTopic, BadTopic, TopicDisallowed. From here to the payload the order is assumed: that
  /// of APNSwift's test server, topic, push type, priority, expiration, collapse id, size, JSON.
  case topic
  /// InvalidPushType, for an unknown value and for one that contradicts the topic's suffix.
  case pushType
  /// BadPriority.
  case priority
  /// BadExpirationDate.
  case expiration
  /// BadCollapseId.
  case collapseID
  /// PayloadEmpty and PayloadTooLarge.
  case payload
  /// TooManyRequests of one device token, where the workspace sets a limit. Assumed to come before
  /// the registration, which it keeps from being asked too often.
  case requestRate
  /// BadDeviceToken, DeviceTokenNotForTopic, Unregistered and ExpiredToken of a token by what is
  /// registered.
  /// Assumed to be last: it needs a database, everything before it only the request.
  case registration

  /// All checks, in the order in which they are made.
  static let order = allCases
  /// Those of the credential, in their order: requests about channels share them.
  static let ofCredential: [APNsCheck] = [
    .certificate, .providerTokenPresence, .wedge, .providerTokenValidity, .providerTokenAge,
    .providerTokenEnvironment, .connectionKey, .providerTokenUpdates,
  ]
  /// Those of a push that FCM passes on, which has a key and no provider token; method and path are
  /// FCM's own.
  static let ofRelay = allCases.filter {
    !ofCredential.contains($0) && $0 != .method && $0 != .path
  }
}

extension APNsService {
  /// Makes one check of a push; the last one writes what it found to the outcome.
  func perform(
    _ check: APNsCheck, of request: PushRequest, _ push: borrowing APNsPush,
    _ outcome: inout PushOutcome, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    switch check {
    case .certificate: try checkCertificate(request, push, connection)
    case .method: try checkMethod(request)
    case .providerTokenPresence: try checkProviderTokenPresence(request, push, connection)
    case .wedge: try checkWedge(push, connection)
    case .providerTokenValidity: try checkProviderTokenValidity(push)
    case .providerTokenAge: try checkProviderTokenAge(request, push, connection)
    case .providerTokenEnvironment: try checkProviderTokenEnvironment(request, push)
    case .connectionKey: try checkConnectionKey(push, connection)
    case .providerTokenUpdates: try checkProviderTokenUpdates(request, push, connection)
    case .path: try checkPath(request, push)
    case .tokenPresence: try checkTokenPresence(push)
    case .tokenShape: try checkTokenShape(push)
    case .duplicateHeaders: try checkDuplicates(request, push)
    case .messageID: try checkMessageID(request, push)
    case .topic: try checkTopic(push, connection)
    case .pushType: try checkPushType(request, push)
    case .priority: try checkPriority(request, push)
    case .expiration: try checkExpiration(request, push)
    case .collapseID: try checkCollapseID(request, push)
    case .payload: try checkPayload(request, push)
    case .requestRate: try checkRequestRate(request, push)
    case .registration: try checkRegistration(request, push, &outcome)
    }
  }
}
