internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitModel

/// Every open gateway connection and the newest closed ones, with those that never sent a request.
final class ConnectionLedger {
  /// So many closed connections are remembered.
  static let closedLimit = 1_000

  /// Names in the server's certificate, in lower case.
  var knownNames: Set<String> = []
  var place = ConnectionDiagnoses.Place(
    caPath: "ca.pem", gatewayPort: 0, consolePort: 0, publicHost: "localhost")

  private let time: any TimeSource
  private let log: Log
  private var open: [UInt64: VendorConnection] = [:]
  /// A ring once it is full; the oldest is at `oldest`.
  private var closed: [ConnectionEntry] = []
  private var oldest = 0
  /// Closed connections that are no longer remembered.
  private(set) var forgottenCount: UInt64 = 0
  /// When a line was last logged, by diagnosis; there are a handful of codes.
  private var lastReports: [DiagnosisCode: Timestamp] = [:]

  init(time: any TimeSource, log: Log) {
    self.time = time
    self.log = log
  }

  /// A peer has connected to a gateway port.
  func opened(_ connection: ServerConnection, _ state: VendorConnection) {
    open[connection.facts.id] = state
  }

  /// A gateway connection has ended.
  func closed(
    _ connection: ServerConnection, _ state: VendorConnection, _ ending: ConnectionEnding
  ) {
    open[connection.facts.id] = nil
    finish(state.entry(connection), ending)
  }

  /// A console connection has ended; only a sender that took it for the gateway is of interest.
  func consoleClosed(
    _ connection: ServerConnection, openedAt: Timestamp, _ ending: ConnectionEnding
  ) {
    guard ending.cause == .tlsOnClearPort else { return }
    finish(
      ConnectionEntry(
        facts: connection.facts, listener: "console", openedAt: openedAt, progress: ""), ending)
  }

  /// The entry of one connection; nil when it is forgotten.
  func entry(_ id: UInt64) -> ConnectionEntry? {
    if let state = open[id] { return state.connection.map { state.entry($0) } }
    return closed.first { $0.facts.id == id }
  }

  /// All entries, newest first.
  var entries: [ConnectionEntry] {
    let living = open.values.compactMap { state in state.connection.map { state.entry($0) } }
    return (living + closed).sorted { $0.facts.id > $1.facts.id }
  }

  private func finish(_ entry: ConnectionEntry, _ ending: ConnectionEnding) {
    var entry = entry
    entry.closedAt = time.now
    entry.progress = ending.progress.name
    entry.ending = ending.cause.text
    entry.alert = ending.alertReceived?.name
    entry.diagnosis =
      entry.diagnosis
      ?? ConnectionDiagnoses.diagnosis(
        entry.facts, ending, knownNames: knownNames, place: place)
    report(entry)
    if closed.count < Self.closedLimit {
      closed.append(entry)
    } else {
      forgottenCount += 1
      closed[oldest] = entry
      oldest = (oldest + 1) % Self.closedLimit
    }
  }

  /// What happened, for a log line.
  private static func event(_ diagnosis: Diagnosis) -> StaticString {
    if diagnosis.code == .malformedRequest { return "had a refused request" }
    if diagnosis.code == .streamsRefused { return "had streams refused" }
    return diagnosis.code.rawValue.hasPrefix("certificate-")
      ? "had its certificate refused" : "ended without a request"
  }

  /// Logs that a key signs too many provider tokens.
  func reportMints(_ diagnosis: Diagnosis) {
    guard isDue(diagnosis, after: .seconds(60)) else { return }
    log.line(
      .info, "apns", "provider tokens",
      [
        "diagnosis": .text(diagnosis.code.rawValue), "what": .text(diagnosis.what),
        "fix": .text(diagnosis.fix),
      ])
  }

  /// Whether so much time has passed since a diagnosis was logged: a retrying sender must not fill the
  /// log, nor hide what another one does wrong.
  private func isDue(_ diagnosis: Diagnosis, after pause: Duration) -> Bool {
    let now = time.now
    if let last = lastReports[diagnosis.code], now - last < pause { return false }
    lastReports[diagnosis.code] = now
    return true
  }

  /// Logs one line, at most one in a second for each diagnosis.
  private func report(_ entry: ConnectionEntry) {
    guard let diagnosis = entry.diagnosis, isDue(diagnosis, after: .seconds(1)) else { return }
    log.line(
      .info, "connection", Self.event(diagnosis),
      [
        "diagnosis": .text(diagnosis.code.rawValue), "peer": .text(entry.facts.peer),
        "what": .text(diagnosis.what), "fix": .text(diagnosis.fix),
      ])
  }
}
