internal import PushpitHTTPTypes
internal import PushpitModel

extension APNsService {
  /// How long a provider token is good (Apple: Establishing a token-based connection to APNs).
  static let providerTokenLifetime = Duration.seconds(3600)

  /// Missing, invalid, expired, of the other environment: in that order.
  ///
  /// The order among them is assumed: nothing a token says counts before its signature is good.
  /// With the policy `auth: shape` any key and any signature will do.
  func authenticate(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    // A certificate was judged already, and with one `authorization` is ignored.
    guard connection.certificate == nil else { return }
    guard let token = push.providerToken else {
      let value = push.fields.authorization.map { request.head.fields.bytes[$0] }
      throw APNsRefusal(.missingProviderToken, APNsDiagnoses.missingProviderToken(value))
    }
    let isVerified =
      switch push.policies.authentication {
      case .verify: providerTokens.isSignatureValid(token)
      case .shape: true
      }
    guard isVerified,
      let issuedAt = token.issuedAt(in: push.workspace, seenAt: request.receivedAt)
    else { throw APNsRefusal(.invalidProviderToken, diagnosis(ofInvalid: token)) }
    let age = push.workspace.time(at: request.receivedAt) - issuedAt
    // A time in the future is accepted. What APNs does is not known; a server one hour ahead was
    // reported with TooManyProviderTokenUpdates and not with a refused token (node-apn issue 590).
    guard age <= Self.providerTokenLifetime else {
      throw APNsRefusal(
        .expiredProviderToken,
        APNsDiagnoses.expiredProviderToken(issuedAt, age: age, limit: Self.providerTokenLifetime))
    }
    if let key = token.key(unfitFor: request.environment) {
      throw APNsRefusal(
        .badEnvironmentKeyInToken,
        APNsDiagnoses.keyOfOtherEnvironment(key, at: request.environment))
    }
    connection.accept(token)
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
