internal import PushpitAPNs
internal import PushpitDevices
internal import PushpitFCM
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel
internal import PushpitRecording

/// The gateway ports' handler: route, judge, record, deliver, answer; straight calls, one thread.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a service that writes an answer never comes back here.
final class VendorHandler: ServerHandler {
  let core: GatewayCore
  // Those of `core` that every push needs: what is reached through a second object is counted up and
  // down at each call, which costs more than the calls themselves (measured).
  private let apns: APNsService
  private let fcm: FCMService
  private let store: EnvelopeStore
  private let log: Log
  private let events: EventHub
  private let devices: DeviceDirectory
  private let workspaces: WorkspaceDirectory
  private let time: any TimeSource
  @exclusivity(unchecked) var answerBody: [UInt8] = []
  /// The head of the answer that is being made.
  @exclusivity(unchecked) var response = ResponseHead()
  /// When the bytes that are being served were read: one look at the clock for all their requests.
  @exclusivity(unchecked) private var arrival = Timestamp(milliseconds: 0)
  /// The clock for answers, and for how many more of them it will do.
  ///
  /// Moments are told in milliseconds, and so few pushes take a fraction of one. To look at it for each was a tenth of what recording costs (measured).
  @exclusivity(unchecked) private var answerClock = (time: Timestamp(milliseconds: 0), rest: 0)
  private static let answersOfOneLook = 16
  /// The stop has been announced to every peer.
  @exclusivity(unchecked) var isStopping = false

  /// What goes to the peer.
  enum Answer {
    /// `response` and `answerBody`.
    case regular
    /// Bytes as they are.
    case raw([UInt8])
    /// Nothing.
    case none
  }

  init(_ core: GatewayCore) {
    self.core = core
    apns = core.apns
    fcm = core.fcm
    store = core.store
    log = core.log
    events = core.events
    devices = core.devices
    workspaces = core.workspaces
    time = core.time
  }

  func connectionOpened(_ connection: ServerConnection) {
    let state = VendorConnection(
      connection, openedAt: core.time.now, home: core.places[connection.facts.listener].home)
    connection.context = state
    core.ledger.opened(connection, state)
    events.post(.connection(connection.facts.id), workspace: nil, at: state.openedAt)
    switch core.configuration.streams {
    case .fixed(let count): connection.setStreamLimit(count)
    case .apple, .throttle: break
    }
  }

  func bytesArrived(on connection: ServerConnection) {
    arrival = time.now
    answerClock = (arrival, Self.answersOfOneLook)
  }

  func requestCompleted(_ stream: ServerStream) { respond(stream, isComplete: true) }

  func requestStalled(_ stream: ServerStream) {
    arrival = time.now
    answerClock.rest = 0
    respond(stream, isComplete: false)
  }

  @inline(__always)
  private func respond(_ stream: ServerStream, isComplete: Bool) {
    guard let state = stream.context as? VendorConnection,
      let facts = state.facts(of: stream, places: core.places)
    else { return }
    var head = RequestHead()
    var body: [UInt8] = []
    let isBodyCut = stream.exchangeRequest(&head, &body)
    let environment = VendorRouter.environment(
      of: head, serverName: nil, fallback: facts.environment)
    var request = PushRequest(
      head: consume head, body: consume body, isBodyCut: isBodyCut, environment: environment,
      home: facts.home, receivedAt: arrival)
    let answer =
      isComplete
      ? answer(request, stream, facts, state) : answerStalled(request, stream, facts, state)
    stream.exchangeRequest(&request.head, &request.body)
    switch answer {
    case .regular:
      stream.exchangeResponse(&response)
      stream.respond(body: answerBody)
    case .raw(let bytes): stream.respondRaw(bytes)
    case .none: break
    }
  }

  func connectionClosed(_ connection: ServerConnection, _ ending: ConnectionEnding) {
    guard let state = connection.context as? VendorConnection else { return }
    core.ledger.closed(connection, state, ending)
    events.post(.connection(connection.facts.id), workspace: nil, at: core.time.now)
  }
}

extension VendorHandler {
  /// Routes, judges and records a request, and writes the answer.
  private func answer(
    _ request: PushRequest, _ stream: ServerStream, _ facts: VendorConnectionFacts,
    _ state: VendorConnection
  ) -> Answer {
    if !answerBody.isEmpty { answerBody.removeAll(keepingCapacity: true) }
    guard !request.head.asksForTunnel else {
      return answerConnect(request, stream, facts, state)
    }
    switch VendorRouter.vendor(of: request.head) {
    case .apple where facts.isHTTP1OverTLS && refusesHTTP1(request, state):
      return answerHTTP1AtAPNs(request, stream, facts, state)
    case .apple where isStopping:
      return answerOvertaken(request, by: .stop, stream, facts, state)
    case .apple:
      state.hasSpokenToApple = true
      let outcome = apns.respond(
        to: request, connection: state.apns, response: &response, body: &answerBody)
      applyStreamLimit(stream, state, status: outcome.status)
      record(outcome, request, stream, facts, state)
      if let reason = state.apns.takeGoAway(), facts.httpProtocol == .http2 {
        return goAway(reason, stream.connection, state)
      }
    case .google:
      state.hasSpokenToGoogle = true
      let outcome = fcm.respond(to: request, response: &response, body: &answerBody)
      raiseStreamLimit(stream, state)
      record(outcome, request, stream, facts, state)
    }
    return .regular
  }

  /// Records the request and its verdict, hands an accepted push to its device, and tells who listens.
  func record(
    _ outcome: PushOutcome, _ request: PushRequest, _ stream: ServerStream,
    _ facts: VendorConnectionFacts, _ state: VendorConnection
  ) {
    let clock = workspaces.clock(of: outcome.workspace)
    let receivedAt = clock.time(at: request.receivedAt)
    let answeredAt = clock.time(at: answerTime())
    let number = store.append(
      request, outcome,
      EnvelopeOrigin(
        receivedAt: receivedAt, answeredAt: answeredAt, connection: facts.id,
        stream: stream.identifier, httpProtocol: facts.httpProtocol, tls: facts.tls))
    writeLogLine(outcome)
    if state.note(outcome.credential) { reportMints(of: outcome) }
    events.post(.envelope(number), workspace: outcome.workspace, at: receivedAt)
    devices.deliver(outcome, envelope: number, now: request.receivedAt)
    // Only workspaces that somebody made can be noisy neighbours of others.
    if outcome.workspace != .default { trim(outcome.workspace) }
  }

  @inline(never)
  private func trim(_ workspace: WorkspaceID) {
    if let limit = workspaces[workspace].countEnvelope() { store.trim(workspace, to: limit) }
  }

  private func answerTime() -> Timestamp {
    if answerClock.rest == 0 { answerClock = (time.now, Self.answersOfOneLook) }
    answerClock.rest -= 1
    return answerClock.time
  }

  /// Says in the log that a key signs too often.
  private func reportMints(of outcome: PushOutcome) {
    guard let keyID = outcome.credential?.keyID else { return }
    let key = apns.mints.key(keyID, of: outcome.workspace)
    if let diagnosis = key?.diagnosis { core.ledger.reportMints(diagnosis) }
  }

  private func writeLogLine(_ outcome: PushOutcome) {
    guard log.wants(.info) else { return }
    let service = outcome.service.logName
    guard !outcome.isAccepted else {
      if let broadcast = outcome.broadcast {
        return log.line(
          .info, service, "accepted",
          ["id": .bytes(outcome.apnsID), "channel": .bytes(broadcast.channelID[...])])
      }
      log.accepted(
        service, id: outcome.apnsID.isEmpty ? outcome.messageName.span : outcome.apnsID.span,
        token: outcome.token.span.extracting(first: Log.shortTokenCount))
      return
    }
    let diagnosis = outcome.diagnosis
    log.line(
      .info, service, "rejected",
      [
        "status": .number(outcome.status), "reason": .text(outcome.reason ?? ""),
        "token": .bytes(outcome.token.prefix(Log.shortTokenCount)),
        "diagnosis": .text(diagnosis?.code.rawValue ?? ""),
        "what": .text(diagnosis?.what ?? ""), "fix": .text(diagnosis?.fix ?? ""),
      ])
  }

  /// Tells the session that Google's side has no stream limit to begin with.
  private func raiseStreamLimit(_ stream: ServerStream, _ state: VendorConnection) {
    switch core.configuration.streams {
    case .fixed: return
    case .apple, .throttle: state.raiseForGoogle(stream)
    }
  }

  /// Tells the session what the connection's state machine decided about its stream limit.
  private func applyStreamLimit(
    _ stream: ServerStream, _ state: VendorConnection, status: Int
  ) {
    switch core.configuration.streams {
    case .fixed: return
    case .apple: break
    case .throttle: state.apns.throttle(after: status)
    }
    if let limit = state.apns.takeStreamLimitChange() { stream.connection?.setStreamLimit(limit) }
  }
}

extension VendorHandler {
  /// A request for a tunnel is nobody's: 501 says that the method is not built (RFC 9110 section
  /// 15.6.2).
  private func answerConnect(
    _ request: PushRequest, _ stream: ServerStream, _ facts: VendorConnectionFacts,
    _ state: VendorConnection
  ) -> Answer {
    var outcome = PushOutcome(service: .unknown, workspace: facts.home, status: 501)
    outcome.diagnosis = Diagnosis(
      .connectNotBuilt, what: "the method CONNECT asks for a tunnel, and the gateway is no proxy",
      fix: "take the gateway out of the sender's proxy settings, and point the sender at it")
    record(outcome, request, stream, facts, state)
    response.reset(status: 501)
    return .regular
  }
}

extension DiagnosisCode {
  static let connectNotBuilt = DiagnosisCode("connect-not-built")
}

extension RequestHead {
  /// Whether the method is CONNECT (RFC 9110 section 9.3.6).
  fileprivate var asksForTunnel: Bool {
    method.count == 7 && method.elementsEqual("CONNECT".utf8)
  }
}

extension PushService {
  /// The subsystem of a log line.
  fileprivate var logName: StaticString {
    switch self {
    case .apns: "apns"
    case .fcm: "fcm"
    case .iid: "iid"
    case .oauth: "oauth"
    case .unknown: "gateway"
    }
  }
}
