import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// A refused request to the Instance ID API or about device groups: the answer and its explanation.
struct InstanceIDRefusal: Error, Equatable {
  /// What goes over the wire.
  enum Answer: Equatable {
    /// `{"error": "<text>"}`, never a google.rpc.Status.
    case error(Int, String)
    /// The bare HTML page with 401.
    case unauthorized
  }

  let answer: Answer
  let diagnosis: Diagnosis

  init(_ answer: Answer, _ diagnosis: Diagnosis) {
    self.answer = answer
    self.diagnosis = diagnosis
  }

  /// A request that is not in the form of the reference; SDKs see `{"error":"BadRequest"}` for any.
  static func badRequest(_ what: String, fix: String) -> InstanceIDRefusal {
    InstanceIDRefusal(
      .error(400, "BadRequest"), FCMDiagnoses.requestInvalid(what, fix: fix))
  }

  /// Fills in the outcome and gives the answer.
  func answer(_ outcome: inout PushOutcome) -> FCMAnswer {
    outcome.diagnosis = diagnosis
    switch answer {
    case .error(let status, let text):
      outcome.reason = text
      return .instanceID(status, JSONObject(["error": .string(text)]))
    case .unauthorized:
      outcome.reason = "Unauthorized"
      return .unauthorizedPage
    }
  }
}

/// Who calls the Instance ID API or manages device groups.
///
/// Google documents an OAuth bearer together with `access_token_auth: true`, and that bearers are
/// rejected without it. Seen are `{"error":"MissingAuthorization"}` and the bare page with 401; which of
/// them answers what is assumed: the first to no credential, the page to one that is no good. For lack
/// of a scope or role `PERMISSION_DENIED` with 403 is assumed, a string of the SDKs' tables.
struct InstanceIDAuthentication {
  let authentication: SenderAuthentication
  let workspaces: WorkspaceDirectory

  /// The account that a request is for.
  func account(
    of request: PushRequest, outcome: inout PushOutcome
  ) throws(InstanceIDRefusal) -> ServiceAccount {
    do throws(FCMRefusal) {
      let token = try authentication.token(of: request, outcome: &outcome)
      outcome.workspace = token.account.workspace
      outcome.project = Array(token.account.projectID.utf8)[...]
      guard request.head.fields.text("access_token_auth")?.lowercased() == "true" else {
        throw FCMRefusal(.credentialsInvalid, FCMDiagnoses.accessTokenAuthMissing)
      }
      try authentication.check(
        token, project: token.account.projectID, receivedAt: request.receivedAt)
      return token.account
    } catch {
      throw InstanceIDRefusal(Self.answer(to: error.error), error.diagnosis)
    }
  }

  private static func answer(to error: GoogleError) -> InstanceIDRefusal.Answer {
    switch (error.status, error.challenge) {
    case (_, .credentialMissing): .error(401, "MissingAuthorization")
    case (.permissionDenied, _): .error(403, "PERMISSION_DENIED")
    default: .unauthorized
    }
  }
}
