internal import PushpitModel

/// What a connection allows its provider tokens after the first valid one has bound it.
extension APNsService {
  /// Another team is InvalidProviderToken, another key of the team UnrelatedKeyIdInToken.
  ///
  /// Apple (Establishing a token-based connection to APNs) binds a connection to a team at its first
  /// push and lets a topic-specific key share it with its one related key only. The reason for another
  /// team is that of Pushy's mock server: "the real APNs server only allows one team per connection".
  /// Assumed: two team-scoped keys are no more related than others unless they are declared so, as
  /// the reason's text speaks of any key ID, and keys of different scope are never related.
  func checkConnectionKey(_ push: borrowing APNsPush, _ connection: APNsConnectionState)
    throws(APNsRefusal)
  {
    guard push.isTokenNew, let token = push.providerToken, let first = connection.firstToken,
      let claims = token.claims, let bound = first.claims
    else { return }
    guard claims.teamID == bound.teamID else {
      throw APNsRefusal(
        .invalidProviderToken, APNsDiagnoses.otherTeamOnConnection(claims, bound: bound))
    }
    guard claims.keyID == bound.keyID || Self.areRelated(token.key, first.key) else {
      throw APNsRefusal(
        .unrelatedKeyIDInToken, APNsDiagnoses.unrelatedKey(claims, bound: bound))
    }
  }

  /// Whether one key names the other as related and both are of the same scope.
  private static func areRelated(_ one: APNsKey?, _ other: APNsKey?) -> Bool {
    guard let one, let other, (one.topics == nil) == (other.topics == nil) else { return false }
    return one.relatedKeyID == other.keyID || other.relatedKeyID == one.keyID
  }

  /// Counts a new token, and refuses it when the connection has brought too many.
  ///
  /// Apple (the same page): an error "if you use a new token more than once every 20 minutes on the
  /// same connection"; seen by senders with a token for each topic (PyAPNs2 issue 76) and with several
  /// workers (pigeon issue 226). Tokens are compared by their bytes, as those reports suggest. Assumed:
  /// the connection goes on with its old token, going back to an earlier one counts too, and each of
  /// the keys that share a connection has tokens of its own.
  func checkProviderTokenUpdates(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    guard push.isTokenNew, let token = push.providerToken else { return }
    let time = push.workspace.time(at: request.receivedAt)
    mints.note(token, connection, workspace: push.workspace.id, at: time)
    let allowance = push.workspace.apns.providerTokenUpdates
    guard connection.accept(token, at: time, allowance: allowance) else {
      let began = token.claims.flatMap { connection.updatesBegan(of: $0.keyID) } ?? time
      throw APNsRefusal(
        .tooManyProviderTokenUpdates,
        APNsDiagnoses.tooManyProviderTokenUpdates(
          token.claims, since: time - began, allowance: allowance ?? 0))
    }
  }
}
