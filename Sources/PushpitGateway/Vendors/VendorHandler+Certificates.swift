internal import PushpitAPNs
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// Client certificates: judged once, when the handshake is done.
extension VendorHandler {
  /// Takes the client certificate of a connection, and ends one to a host of Apple's if it is bad.
  ///
  /// Where the server name is no vendor's, as `localhost`, the first request to Apple's side decides:
  /// it may never come.
  func takeCertificate(
    of connection: ServerConnection, to vendor: Vendor?, _ state: VendorConnection
  ) {
    guard let presented = connection.peerCertificate,
      let certificate = ProviderCertificate(presented)
    else { return }
    let environment = VendorRouter.environment(
      of: RequestHead(), serverName: connection.facts.serverName,
      fallback: core.places[connection.facts.listener].environment)
    state.apns.present(core.apns.judge(certificate, at: core.time.now), in: environment)
    announceStreamLimit(of: state, to: connection)
    guard case .apple? = vendor else { return }
    core.apns.open(state.apns, in: environment)
    if let reason = state.apns.takeGoAway() { goAway(reason, connection, state) }
  }

  /// Ends a connection as Apple does.
  @discardableResult
  func goAway(
    _ reason: APNsReason, _ connection: ServerConnection?, _ state: VendorConnection
  ) -> Answer {
    let count = workspace(of: state).apns.goAways
    if connection?.close(sending: AppleGoAway.bytes(reason, count: count)) == true {
      state.waitingGoAwayCount = count == .two ? 2 : 1
    }
    return .none
  }

  private func announceStreamLimit(of state: VendorConnection, to connection: ServerConnection) {
    switch core.configuration.streams {
    case .fixed: return
    case .apple, .throttle: break
    }
    if let limit = state.apns.takeStreamLimitChange() { connection.setStreamLimit(limit) }
  }
}
