import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// `POST /v1/projects/-/serviceAccounts/{email}:generateAccessToken` of iamcredentials: an access
/// token in a service account's name.
struct Impersonation {
  /// The longest lifetime without a change of the organization's policy (IAM: Create short-lived
  /// credentials).
  static let lifetimeLimit: Duration = .seconds(3600)

  let authentication: SenderAuthentication
  let workspaces: WorkspaceDirectory
  let accessTokens: AccessTokens

  /// Answers a request, or records why not.
  func answer(
    _ request: PushRequest, email: String, outcome: inout PushOutcome
  ) -> FCMAnswer {
    do {
      return try generate(request, email: email, outcome: &outcome)
    } catch {
      outcome.reason = error.error.reason
      outcome.googleStatus = error.error.status.rawValue
      outcome.diagnosis = error.diagnosis
      return .failed(error.error)
    }
  }

  private func generate(
    _ request: PushRequest, email: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> FCMAnswer {
    let caller = try authentication.token(
      of: request, for: .generateAccessToken, outcome: &outcome)
    let workspace = workspaces[caller.account.workspace]
    outcome.workspace = workspace.id
    let now = workspace.time(at: request.receivedAt)
    guard now < caller.expiresAt else {
      throw FCMRefusal(
        .accessTokenExpired(.generateAccessToken), FCMDiagnoses.accessTokenExpired(caller))
    }
    guard OAuthScopes.allowImpersonation(caller.scopes) else {
      throw FCMRefusal(
        .scopeInsufficient(.generateAccessToken), FCMDiagnoses.impersonationScope(caller.scopes))
    }
    // A workload is bound to its account; other accounts would need a role that nobody has here.
    guard caller.account.clientEmail == email else {
      throw FCMRefusal(
        .impersonationDenied, FCMDiagnoses.impersonationDenied(email, caller.account))
    }
    let body = (try? JSONReader.parse(request.body))?.objectValue ?? JSONObject()
    let scopes = body["scope"]?.arrayValue?.compactMap(\.stringValue) ?? []
    guard !scopes.isEmpty, OAuthScopes.areKnown(scopes) else {
      throw FCMRefusal(
        .impersonationArgument, FCMDiagnoses.impersonationArgument("scope"))
    }
    let lifetime = try lifetime(body["lifetime"], standard: workspace.fcm.accessTokenLifetime)
    let token = accessTokens.grant(
      to: caller.account, scopes: scopes, now: now, lifetime: lifetime)
    return .authorization(
      200,
      JSONObject([
        "accessToken": .string(token.text),
        "expireTime": .string(Self.wholeSeconds(token.expiresAt)),
      ]), .indented)
  }

  /// The asked lifetime, at most the workspace's.
  private func lifetime(
    _ value: JSONValue?, standard: Duration
  ) throws(FCMRefusal) -> Duration {
    guard let value, value != .null else { return standard }
    let asked = value.stringValue.flatMap { try? ProtoDuration.parse($0) }
    guard let asked, asked > .zero, asked <= Self.lifetimeLimit else {
      throw FCMRefusal(.impersonationArgument, FCMDiagnoses.impersonationArgument("lifetime"))
    }
    return min(asked, standard)
  }

  /// `2026-01-15T01:30:15Z`: google-auth reads no fraction of a second.
  private static func wholeSeconds(_ moment: Timestamp) -> String {
    let text = moment.rfc3339
    return text.prefix { $0 != "." } + "Z"
  }
}
