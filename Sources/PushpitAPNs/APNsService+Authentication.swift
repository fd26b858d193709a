internal import PushpitHTTPTypes
internal import PushpitModel

/// The checks of a provider token by itself; those that a connection adds are in a file of their own.
///
/// Only the first of them asks for a token. The others let a push without one pass, so whatever else
/// vouches for a sender needs to be known in one place, the check of the token's presence.
extension APNsService {
  /// How long a provider token is good (Apple: Establishing a token-based connection to APNs).
  static let providerTokenLifetime = Duration.seconds(3600)

  /// MissingProviderToken of no, an empty or another authorization than a bearer's (observed 2026).
  ///
  /// Not with a client certificate, which takes its place.
  func checkProviderTokenPresence(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    guard push.providerToken == nil, connection.certificate == nil else { return }
    let value = push.fields.authorization.map { request.head.fields.bytes[$0] }
    throw APNsRefusal(.missingProviderToken, APNsDiagnoses.missingProviderToken(value))
  }

  /// What a connection answers once it has answered ExpiredProviderToken, by the setting `wedge`.
  func checkWedge(_ push: borrowing APNsPush, _ connection: APNsConnectionState)
    throws(APNsRefusal)
  {
    guard connection.hasSeenExpiredToken else { return }
    switch push.workspace.apns.wedge {
    case .expired: throw APNsRefusal(.expiredProviderToken, APNsDiagnoses.connectionWedged())
    case .internalError: throw APNsRefusal(.internalServerError, APNsDiagnoses.connectionWedged())
    case .off: return
    }
  }

  /// InvalidProviderToken of what cannot be read, of an unknown key, of a key of another team and of
  /// a bad signature (Apple: Handling notification responses from APNs; observed 2026).
  ///
  /// With the policy `auth: shape` any key and any signature will do.
  func checkProviderTokenValidity(_ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let token = push.providerToken else { return }
    let isValid =
      switch push.policies.authentication {
      case .verify: providerTokens.isSignatureValid(token)
      case .shape: token.claims != nil
      }
    guard isValid else {
      throw APNsRefusal(.invalidProviderToken, diagnosis(ofInvalid: token))
    }
  }

  /// ExpiredProviderToken of a token that was issued more than an hour ago.
  ///
  /// A time in the future is accepted. What APNs does is not known; a server one hour ahead was
  /// reported with TooManyProviderTokenUpdates and not with a refused token (node-apn issue 590).
  func checkProviderTokenAge(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    guard let token = push.providerToken,
      let issuedAt = token.issuedAt(in: push.workspace, seenAt: request.receivedAt)
    else { return }
    let age = push.workspace.time(at: request.receivedAt) - issuedAt
    guard age > Self.providerTokenLifetime else { return }
    connection.noteExpiredToken()
    throw APNsRefusal(
      .expiredProviderToken,
      APNsDiagnoses.expiredProviderToken(issuedAt, age: age, limit: Self.providerTokenLifetime))
  }

  /// A key of the other environment (APNSwift pull request 229, October 2025).
  func checkProviderTokenEnvironment(_ request: PushRequest, _ push: borrowing APNsPush)
    throws(APNsRefusal)
  {
    guard let token = push.providerToken, !token.isFit(for: request.environment),
      let key = token.key
    else { return }
    throw APNsRefusal(
      .badEnvironmentKeyInToken,
      APNsDiagnoses.keyOfOtherEnvironment(key, at: request.environment))
  }

  /// Why a token is invalid: it cannot be read, its key is not known, or did not sign it.
  private func diagnosis(ofInvalid token: ProviderToken) -> Diagnosis {
    switch (token.content, token.key) {
    case (.failure(let fault), _): APNsDiagnoses.unreadableProviderToken(fault)
    case (.success(let claims), nil):
      APNsDiagnoses.unknownKey(claims, known: providerTokens.key(of: claims))
    case (.success, let key?): APNsDiagnoses.badSignature(key)
    }
  }
}
