import PushpitJSON
import Testing

@testable import PushpitGateway

@Suite struct ReadyReportTests {
  private func report(host: String = "localhost") -> ReadyReport {
    ReadyReport(
      publicHost: host,
      listeners: [
        .init(kind: "gateway", host: "127.0.0.1", port: 2197, environment: "sandbox"),
        .init(kind: "gateway", host: "::1", port: 2197, environment: "sandbox"),
        .init(kind: "gateway", host: "::1", port: 443, environment: "production"),
        .init(kind: "console", host: "127.0.0.1", port: 8197, environment: nil),
      ], processID: 42, statePath: "/state")
  }

  @Test func `the ready file is one line of JSON with the documented members`() {
    let text = String(decoding: report().json, as: UTF8.self)
    #expect(
      text == #"{"gateway":"https://localhost:2197","gatewayClear":"http://localhost:2197","#
        + #""console":"http://localhost:8197","pid":42,"state":"/state","listeners":["#
        + #"{"kind":"gateway","host":"127.0.0.1","port":2197,"environment":"sandbox"},"#
        + #"{"kind":"gateway","host":"::1","port":2197,"environment":"sandbox"},"#
        + #"{"kind":"gateway","host":"::1","port":443,"environment":"production"},"#
        + #"{"kind":"console","host":"127.0.0.1","port":8197,"environment":null}]}"# + "\n")
  }

  @Test func `the ports are those of the first listeners of a kind`() {
    #expect(report().gatewayPort == 2197 && report().consolePort == 8197)
  }

  // RFC 3986 section 3.2.2.
  @Test(arguments: ["fd00::1", "[fd00::1]"])
  func `an IPv6 address has brackets in URLs`(host: String) {
    #expect(report(host: host).gatewayURL == "https://[fd00::1]:2197")
    #expect(report(host: host).gatewayClearURL == "http://[fd00::1]:2197")
    #expect(report(host: host).consoleURL == "http://[fd00::1]:8197")
  }
}
