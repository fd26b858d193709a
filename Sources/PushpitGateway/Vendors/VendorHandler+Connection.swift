internal import PushpitAPNs
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// How connections begin and end, and how HTTP/1.x is met.
extension VendorHandler {
  /// A client that asks for one of Google's names gets Google's stream limit from the start, and its
  /// certificate is never looked at.
  func handshakeCompleted(_ connection: ServerConnection) {
    guard let state = connection.context as? VendorConnection else { return }
    let vendor = connection.facts.serverName.flatMap(VendorRouter.vendor(ofHost:))
    guard case .google? = vendor else {
      return takeCertificate(of: connection, to: vendor, state)
    }
    state.hasSpokenToGoogle = true
    switch core.configuration.streams {
    case .fixed: return
    case .apple, .throttle: state.startAsGoogle(connection)
    }
  }

  /// The setting of the connection's workspace; Google's connections have the listener's limits.
  func silenceLimit(of connection: ServerConnection) -> Duration? {
    guard let state = connection.context as? VendorConnection, state.isOfAPNs else { return nil }
    return workspace(of: state).apns.idleTimeout
  }

  /// APNs names the reason of an end that is not the peer's doing.
  func lastFrames(
    _ connection: ServerConnection, _ cause: ConnectionEnding.Cause
  ) -> [UInt8]? {
    guard let state = connection.context as? VendorConnection, state.isOfAPNs else { return nil }
    let settings = workspace(of: state).apns
    let reason: APNsReason
    switch cause {
    case .idle where settings.idleTimeout != nil: reason = .idleTimeout
    case .serverStopped: reason = .shutdown
    default: return nil
    }
    state.goAwayCount += settings.goAways == .two ? 2 : 1
    return AppleGoAway.bytes(
      reason, lastStreamID: connection.lastStreamID, count: settings.goAways)
  }

  /// The workspace of a connection's credential, else of its port.
  func workspace(of state: VendorConnection) -> Workspace {
    core.workspaces[state.apns.workspace ?? state.home]
  }

  /// A push whose body stopped coming is told why its connection ends; others get nothing.
  func answerStalled(
    _ request: PushRequest, _ stream: ServerStream, _ facts: VendorConnectionFacts,
    _ state: VendorConnection
  ) -> Answer {
    guard case .apple = VendorRouter.vendor(of: request.head),
      !facts.isHTTP1OverTLS || !refusesHTTP1(request, state),
      let limit = workspace(of: state).apns.idleTimeout
    else { return .none }
    return answerOvertaken(request, by: .silence(limit), stream, facts, state)
  }

  /// Answers a push with the reason of its connection's end.
  @inline(never)
  func answerOvertaken(
    _ request: PushRequest, by cause: APNsService.Overtaking, _ stream: ServerStream,
    _ facts: VendorConnectionFacts, _ state: VendorConnection
  ) -> Answer {
    answerBody.removeAll(keepingCapacity: true)
    state.hasSpokenToApple = true
    let outcome = core.apns.refuse(
      request, overtakenBy: cause, connection: state.apns, response: &response,
      body: &answerBody)
    record(outcome, request, stream, facts, state)
    return .regular
  }

  /// Whether a request in HTTP/1.x over TLS gets Apple's GOAWAY: the setting of its workspace.
  func refusesHTTP1(_ request: PushRequest, _ state: VendorConnection) -> Bool {
    let workspace = core.apns.workspace(of: request, connection: state.apns)
    return switch workspace.apns.http1OverTLS {
    case .refuse: true
    case .serve: false
    }
  }

  /// Apple's front end answers HTTP/1.x over TLS with HTTP/2 frames (observed 2019 and 2026).
  func answerHTTP1AtAPNs(
    _ request: PushRequest, _ stream: ServerStream, _ facts: VendorConnectionFacts,
    _ state: VendorConnection
  ) -> Answer {
    state.hasSpokenToApple = true
    var outcome = core.apns.describe(request, connection: state.apns, status: 400)
    outcome.reason = "PROTOCOL_ERROR"
    outcome.diagnosis = Diagnosis(
      .http1AtAPNs,
      what: "the request came in HTTP/1.1, which APNs does not speak over TLS",
      fix: "use an HTTP/2 client; with curl, --http2 and no --no-alpn")
    record(outcome, request, stream, facts, state)
    state.goAwayCount += 1
    return .raw(AppleHTTP1Answer.bytes(for: request.head))
  }
}
