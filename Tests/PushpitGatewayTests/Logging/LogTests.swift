import PushpitJSON
import Testing

@testable import PushpitGateway

@Suite struct LogTests {
  /// What a log wrote, piece by piece.
  private final class Written {
    var pieces: [String] = []
  }

  private let written = Written()

  private func log(
    _ format: GatewayConfiguration.LogFormat = .text,
    level: GatewayConfiguration.LogLevel = .info
  ) -> Log {
    Log(level: level, format: format) { [written] in
      written.pieces.append(String(decoding: $0, as: UTF8.self))
    }
  }

  @Test func `a line is level, subsystem, message and fields`() {
    let log = log()
    log.line(.info, "apns", "accepted", ["id": "abc", "status": 200])
    log.line(.warning, "state", "kept")
    log.flush()
    #expect(written.pieces == ["info apns accepted id=abc status=200\nwarning state kept\n"])
  }

  @Test(arguments: [
    ("plain", "k=plain"), ("a b", "k=\"a b\""), ("a=b", "k=\"a=b\""),
    ("say \"x\"", #"k="say \"x\"""#), ("a\nb", #"k="a\nb""#), ("grün", "k=\"grün\""),
  ])
  func `a value that could be mistaken is in quotation marks`(value: String, text: String) {
    let log = log()
    log.line(.info, "a", "b", ["k": .text(value)])
    log.line(.info, "a", "b", ["k": .bytes(Array(value.utf8)[...])])
    log.flush()
    #expect(written.pieces == ["info a b \(text)\ninfo a b \(text)\n"])
  }

  @Test(arguments: [GatewayConfiguration.LogFormat.text, .json])
  func `a field without a value is left out`(format: GatewayConfiguration.LogFormat) {
    let log = log(format)
    log.line(.info, "a", "b", ["id": .bytes([]), "what": "", "n": 0])
    let id = Array("m".utf8)
    log.accepted("fcm", id: id.span, token: id.span.extracting(first: 0))
    log.flush()
    #expect(!written.pieces.joined().contains("what"))
    #expect(!written.pieces.joined().contains("token"))
    #expect(written.pieces.joined().split(separator: "\n").count == 2)
  }

  @Test func `bytes that are no UTF-8 are repaired`() {
    let log = log()
    log.line(.info, "a", "b", ["k": .bytes([0x61, 0xFF][...])])
    log.flush()
    #expect(written.pieces == ["info a b k=\"a\u{FFFD}\"\n"])
  }

  @Test func `the JSON form is an object a line`() throws {
    let log = log(.json)
    log.line(.error, "apns", "rejected", ["id": "a\nb", "n": 1])
    log.line(.info, "a", "b")
    log.flush()
    let lines = written.pieces.joined().split(separator: "\n")
    #expect(lines.count == 2)
    let first = try JSONReader.parse(Array(lines[0].utf8))
    #expect(first["message"] == "rejected" && first["id"] == "a\nb" && first["n"] == 1)
    #expect(lines.last == #"{"level":"info","subsystem":"a","message":"b"}"#)
  }

  @Test func `levels below the wanted one are left out`() {
    let log = log(level: .warning)
    for level in GatewayConfiguration.LogLevel.allCases { log.line(level, "a", "b") }
    log.flush()
    #expect(written.pieces == ["error a b\nwarning a b\n"])
    #expect(log.wants(.warning) && !log.wants(.info))
  }

  @Test func `lines are gathered until there are many`() {
    let log = log()
    let long = String(repeating: "x", count: 1_000)
    for _ in 0..<16 { log.line(.info, "a", "b", ["k": .text(long)]) }
    #expect(written.pieces.isEmpty && log.hasGathered)
    log.line(.info, "a", "b", ["k": .text(long)])
    #expect(written.pieces.count == 1 && !log.hasGathered)
    log.flush()
    #expect(written.pieces.count == 1)
  }
}
