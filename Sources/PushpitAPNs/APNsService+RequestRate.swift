internal import PushpitModel

extension APNsService {
  /// TooManyRequests beyond the workspace's limit, by default none; see `RequestRates`.
  func checkRequestRate(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let limit = push.workspace.requestsPerSecond else { return }
    let isAllowed = requestRates.allows(
      canonicalToken, of: push.workspace.id, perSecond: limit, at: request.receivedAt)
    guard isAllowed else {
      throw APNsRefusal(
        .tooManyRequests, APNsDiagnoses.tooManyRequests(push.token, perSecond: limit))
    }
  }
}
