import PushpitHTTP
import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct ConnectionLedgerTests {
  private final class SilentHandler: ServerHandler {
    func requestCompleted(_ stream: ServerStream) {}
  }

  /// The log's text.
  private final class Written {
    var text = ""
  }

  @Test func `one diagnosis is logged once a second, and does not hide another`() {
    let written = Written()
    let time = FixedTime(Timestamp(milliseconds: 1_000_000))
    let log = Log(level: .info) { written.text += String(decoding: $0, as: UTF8.self) }
    let ledger = ConnectionLedger(time: time, log: log)
    let connection = ServerConnection(
      facts: ConnectionFacts(id: 1, peer: "127.0.0.1:1", listener: 0), options: ListenerOptions(),
      handler: SilentHandler(), resources: ServerResources(), now: 0)
    let state = VendorConnection(connection, openedAt: time.now, home: .default)
    let endings = [
      ConnectionEnding(progress: .accepted, cause: .peerClosed),
      ConnectionEnding(progress: .handshakeDone, cause: .http(.http1(status: 400))),
    ]
    func lineCount() -> Int {
      for ending in endings + endings { ledger.closed(connection, state, ending) }
      log.flush()
      return written.text.split(separator: "\n").count
    }
    #expect(lineCount() == 2)
    time.now = time.now + .milliseconds(999)
    #expect(lineCount() == 2)
    time.now = time.now + .milliseconds(1)
    #expect(lineCount() == 4)
    #expect(written.text.split(separator: "malformed-request").count == 3)
  }

  @Test func `a key that signs too often is logged once a minute`() {
    let written = Written()
    let time = FixedTime(Timestamp(milliseconds: 1_000_000))
    let log = Log(level: .info) { written.text += String(decoding: $0, as: UTF8.self) }
    let ledger = ConnectionLedger(time: time, log: log)
    let diagnosis = Diagnosis(DiagnosisCode("too-often"), what: "12 tokens", fix: "sign once")
    for _ in 0..<3 {
      for _ in 0..<5 { ledger.reportMints(diagnosis) }
      time.now = time.now + .seconds(30)
    }
    log.flush()
    let line = #"info apns provider tokens diagnosis=too-often what="12 tokens" fix="sign once""#
    #expect(written.text == "\(line)\n\(line)\n")
  }
}
