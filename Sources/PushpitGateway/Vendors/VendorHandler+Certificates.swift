internal import PushpitAPNs
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// Client certificates: judged once, when the handshake is done.
extension VendorHandler {
  /// Takes the client certificate of a connection, and ends one to a host of Apple's if it is bad.
  ///
  /// Google's services never look at one. Where the server name is no vendor's, as `localhost`, the
  /// first request to Apple's side decides: it may never come.
  func handshakeCompleted(_ connection: ServerConnection) {
    guard let state = connection.context as? VendorConnection,
      let presented = connection.peerCertificate
    else { return }
    let vendor = connection.facts.serverName.flatMap(VendorRouter.vendor(ofHost:))
    guard vendor != .google, let certificate = ProviderCertificate(presented) else { return }
    let environment = VendorRouter.environment(
      of: RequestHead(), serverName: connection.facts.serverName,
      fallback: core.environments[connection.facts.listener])
    state.apns.present(core.apns.judge(certificate, at: core.time.now), in: environment)
    announceStreamLimit(of: state, to: connection)
    guard vendor == .apple else { return }
    core.apns.open(state.apns, in: environment)
    if let reason = state.apns.takeGoAway() { goAway(reason, connection, state) }
  }

  /// Ends a connection as Apple does.
  @discardableResult
  func goAway(
    _ reason: APNsReason, _ connection: ServerConnection?, _ state: VendorConnection
  ) -> Answer {
    state.hasSentGoAway = true
    connection?.close(sending: AppleGoAway.bytes(reason))
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
