internal import PushpitHTTPTypes
internal import PushpitModel

extension APNsService {
  /// How long a provider token is good (Apple: Establishing a token-based connection to APNs).
  static let providerTokenLifetime = Duration.seconds(3600)

  /// Missing, invalid, expired, of the other environment: in that order.
  ///
  /// The order among them is assumed: nothing a token says counts before its signature is good.
  func authenticate(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    guard let token = push.providerToken else {
      throw APNsRefusal(
        .missingProviderToken, APNsDiagnoses.missingProviderToken(authorization(request, push)))
    }
    let claims = try validClaims(of: token, in: push.workspace)
    let issuedAt = token.issuedAt(
      in: push.workspace, claims: claims, seenAt: request.receivedAt)
    let age = push.workspace.clock.time(at: request.receivedAt) - issuedAt
    // A time in the future is accepted. What APNs does is not known; a server one hour ahead was
    // reported with TooManyProviderTokenUpdates and not with a refused token (node-apn issue 590).
    guard age <= Self.providerTokenLifetime else {
      throw APNsRefusal(
        .expiredProviderToken,
        APNsDiagnoses.expiredProviderToken(claims, age: age, limit: Self.providerTokenLifetime))
    }
    if let key = token.key, !key.environments.contains(request.environment) {
      throw APNsRefusal(
        .badEnvironmentKeyInToken,
        APNsDiagnoses.keyOfOtherEnvironment(key, at: request.environment))
    }
    connection.accept(token)
  }

  /// The claims of a token that can be read, of a key that is known and that signed it.
  ///
  /// With the policy `auth: shape` any key and any signature will do.
  private func validClaims(
    of token: ProviderToken, in workspace: Workspace
  ) throws(APNsRefusal) -> ProviderClaims {
    let claims: ProviderClaims
    switch token.content {
    case .success(let read): claims = read
    case .failure(let fault):
      throw APNsRefusal(.invalidProviderToken, APNsDiagnoses.unreadableProviderToken(fault))
    }
    guard workspace.policies.authentication == .verify else { return claims }
    guard let key = token.key else {
      throw APNsRefusal(
        .invalidProviderToken,
        APNsDiagnoses.unknownKey(claims, known: providerTokens.key(of: claims)))
    }
    guard providerTokens.isSignatureValid(token, key: key) else {
      throw APNsRefusal(.invalidProviderToken, APNsDiagnoses.badSignature(key))
    }
    return claims
  }

  private func authorization(_ request: PushRequest, _ push: borrowing APNsPush) -> ArraySlice<UInt8>? {
    push.fields.authorization.map { request.head.fields.bytes[$0] }
  }
}
