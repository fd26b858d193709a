import PushpitCrypto
import PushpitHTTPTypes
import PushpitModel

/// Who sends: the checks of a request's credential, which come before its body is read (measured at
/// Google's front end in 2026).
final class SenderAuthentication {
  /// What a self-signed bearer without scopes must be for.
  private static let audience = "https://fcm.googleapis.com/"

  private let judge: AssertionJudge
  private let workspaces: WorkspaceDirectory
  private let accessTokens: AccessTokens

  init(judge: AssertionJudge, workspaces: WorkspaceDirectory, accessTokens: AccessTokens) {
    self.judge = judge
    self.workspaces = workspaces
    self.accessTokens = accessTokens
  }

  /// The token that a request carries, expired or not; errors name the method.
  func token(
    of request: PushRequest, for method: GoogleMethod = .sendMessage, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> AccessToken {
    if let known = lastToken(of: request.head.fields), !known.isRevoked {
      outcome.credential = known.facts
      return known
    }
    guard let bearer = Self.bearer(of: request.head) else {
      throw FCMRefusal(.credentialsMissing(method), FCMDiagnoses.credentialMissing)
    }
    let token: AccessToken
    if let known = accessTokens.token(bearer) {
      guard !known.isRevoked else {
        outcome.credential = known.facts
        throw FCMRefusal(.credentialsInvalid, FCMDiagnoses.accessTokenRevoked(known))
      }
      token = known
    } else {
      token = try selfSigned(
        bearer, for: method, receivedAt: request.receivedAt, outcome: &outcome)
    }
    outcome.credential = token.facts
    return token
  }

  /// The token of the request before, when this one has it too and in the usual way; it is found without
  /// a copy of its bytes.
  private func lastToken(of fields: FieldList) -> AccessToken? {
    guard let value = fields.first("authorization")?.value, value.count > 7 else { return nil }
    return fields.bytes.withUnsafeBufferPointer { bytes in
      guard UnsafeBufferPointer(rebasing: bytes[value.prefix(7)]).isEqual("Bearer ") else {
        return nil
      }
      return accessTokens.lastToken(
        equalTo: UnsafeBufferPointer(rebasing: bytes[value.dropFirst(7)]))
    }
  }

  /// Checks that a token may be used for a method in a project at a moment of real time.
  func check(
    _ token: AccessToken, project: String, for method: GoogleMethod = .sendMessage,
    receivedAt: Timestamp
  ) throws(FCMRefusal) {
    let account = token.account
    guard workspaces[account.workspace].time(at: receivedAt) < token.expiresAt else {
      throw FCMRefusal(.accessTokenExpired(method), FCMDiagnoses.accessTokenExpired(token))
    }
    guard token.maySend else {
      throw FCMRefusal(.scopeInsufficient(method), FCMDiagnoses.scopeInsufficient(token))
    }
    guard account.owns(project: project) else {
      throw FCMRefusal(
        .permissionDenied(project: project, method),
        FCMDiagnoses.projectNotOfServiceAccount(project, account))
    }
    guard account.mayPush else {
      throw FCMRefusal(
        .permissionDenied(project: project, method),
        FCMDiagnoses.serviceAccountWithoutRole(account, method))
    }
  }

  /// Verifies a bearer that is a JSON web token which the account signed itself (google-auth with
  /// `always_use_jwt_access`): RS256, known `iss`, at most an hour, and a scope or FCM's audience.
  private func selfSigned(
    _ bearer: [UInt8], for method: GoogleMethod, receivedAt: Timestamp, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> AccessToken {
    guard let assertion = Assertion(compact: bearer) else {
      outcome.credential = CredentialFacts(
        kind: .unreadable, fingerprint: SHA256.hex(bearer))
      if let isServerKey = Self.isServerKey(bearer) {
        throw FCMRefusal(
          .accessTokenTypeUnsupported(method), FCMDiagnoses.apiKeyAsBearer(isServerKey: isServerKey)
        )
      }
      throw FCMRefusal(.credentialsInvalid, FCMDiagnoses.bearerUnknown)
    }
    let facts = assertion.facts(.selfSignedToken)
    outcome.credential = facts
    do throws(OAuthError) {
      let account = try judge.account(signing: assertion)
      let expiresAt = try judge.expiration(
        of: assertion, account: account, receivedAt: receivedAt)
      let isForFCM = assertion.scopes.isEmpty && assertion.audience == Self.audience
      let token = AccessToken(
        account: account, scopes: assertion.scopes, expiresAt: expiresAt, facts: facts,
        maySend: isForFCM || OAuthScopes.allowSending(assertion.scopes))
      accessTokens.remember(token, for: bearer)
      return token
    } catch {
      // An ID token is signed by Google and not by an account.
      let isOfOtherKind = error == .unknownAccount
      throw FCMRefusal(
        isOfOtherKind ? .accessTokenTypeUnsupported(method) : .credentialsInvalid,
        FCMDiagnoses.selfSignedRefused(error))
    }
  }

  /// Of an API key, whether it is a server key of the legacy API; nil for anything else.
  private static func isServerKey(_ bearer: [UInt8]) -> Bool? {
    if bearer.starts(with: "AIza".utf8) { return false }
    guard bearer.starts(with: "AAAA".utf8), let colon = bearer.firstIndex(of: UInt8(ascii: ":")),
      bearer[(colon + 1)...].starts(with: "APA91b".utf8)
    else { return nil }
    return true
  }

  /// The bearer of `Authorization`, whose scheme has any case, else of the query.
  private static func bearer(of head: RequestHead) -> [UInt8]? {
    if let value = head.fields.value("authorization") {
      let scheme = value.prefix { $0 != UInt8(ascii: " ") }
      let token = value[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") }
      if scheme.count == 6, scheme.lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
        !token.isEmpty, !token.contains(UInt8(ascii: " "))
      {
        return Array(token)
      }
    }
    guard !head.query.isEmpty else { return nil }
    let parameter = PercentCoding.pairs(head.query).last {
      $0.name == "access_token" || $0.name == "oauth_token"
    }
    guard let parameter, !parameter.value.isEmpty else { return nil }
    return Array(parameter.value.utf8)
  }
}

extension ServiceAccount {
  /// Whether this is its project, by ID or by number (Google's discovery document allows both).
  func owns(project: String) -> Bool {
    project == projectID || project == projectNumber
  }
}
