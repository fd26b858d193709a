package import PushpitModel

extension APNsService {
  /// Refuses whatever comes on a connection with a bad certificate, and says that it has to end.
  ///
  /// Where a GOAWAY is not what is wanted (`wire: documented`) the request gets a 403, as Apple's
  /// "Handling notification responses from APNs" lists it.
  func checkCertificate(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    guard let certificate = connection.certificate,
      let refusal = certificate.refusal(in: request.environment)
    else { return }
    connection.refuse(refusal, wire: push.policies.wire)
    throw refusal
  }

  /// Judges a connection by its certificate before its first request, for a host of Apple's.
  ///
  /// What it has to do then is in its state: see `APNsConnectionState.takeGoAway()`.
  package func open(_ connection: APNsConnectionState, in environment: APNsEnvironment) {
    guard let certificate = connection.certificate,
      let refusal = certificate.refusal(in: environment)
    else { return }
    connection.refuse(refusal, wire: workspaces[certificate.workspace].policies.wire)
  }
}
