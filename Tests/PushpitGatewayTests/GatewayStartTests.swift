import Foundation
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitNetwork
import Testing

@testable import PushpitGateway

/// Starting: ports, the ready file, and every reason not to start.
@Suite(.timeLimit(.minutes(5))) struct GatewayStartTests {
  /// The text with which a gateway refuses to start.
  private func refusal(
    _ state: TemporaryState, _ change: (inout GatewayConfiguration) -> Void
  ) async throws -> String {
    let gateway = Gateway(TestGateway.configuration(state, change), loop: try EventLoop())
    do throws(GatewayError) {
      _ = try await gateway.start()
    } catch {
      return error.description
    }
    await gateway.stop()
    return "started"
  }

  @Test func `the report and the ready file say the same, and the console too`() async throws {
    let state = try TemporaryState.current()
    let file = state.path + "/ready.json"
    let configuration = TestGateway.configuration(state) { $0.readyFile = file }
    let gateway = Gateway(configuration, loop: try EventLoop())
    let report = try await gateway.start()
    #expect(try FileSystem.contents(of: file) == report.json)
    #expect(report.statePath == state.path)
    #expect(report.gatewayPort > 0 && report.consolePort > 0)
    #expect(report.processID == Int(ProcessInfo.processInfo.processIdentifier))
    let hosts = report.listeners.filter { $0.kind == "gateway" }.map(\.host)
    #expect(hosts.first == "127.0.0.1")
    #expect(Set(report.listeners.filter { $0.kind == "gateway" }.map(\.port)).count == 1)
    let client = try await HTTPClient.connect(to: "127.0.0.1", port: report.consolePort)
    let answer = try await client.request(
      RequestHead(
        method: "GET", target: "/api/v1/gateway", authority: "localhost:\(report.consolePort)"))
    #expect(try JSONReader.parse(answer.body) == JSONReader.parse(report.json))
    await client.close()
    await gateway.stop()
    #expect(!FileSystem.exists(file), "a gateway that has stopped is not ready")
  }

  @Test func `a taken port is said with the flag that chooses another`() async throws {
    try await withGateway { gateway in
      let state = try TemporaryState.current()
      let taken = gateway.report.gatewayPort
      #expect(
        try await refusal(state) { $0.port = taken }
          == "cannot listen on 127.0.0.1:\(taken): address already in use; choose another with "
          + "--port, or 0 for a free one")
      let console = gateway.report.consolePort
      #expect(
        try await refusal(state) { $0.consolePort = console }.hasSuffix(
          "address already in use; choose another with --console-port, or 0 for a free one"))
      #expect(
        try await refusal(state) {
          $0.extraListeners = [.init(environment: nil, host: "127.0.0.1", port: taken)]
        }.hasSuffix("choose another with --listen, or 0 for a free one"))
    }
  }

  @Test func `a ready file that cannot be written stops the start with its path`() async throws {
    let state = try TemporaryState.current()
    let text = try await refusal(state) { $0.readyFile = "/nonexistent/ready.json" }
    #expect(text == "cannot write /nonexistent/ready.json: no such file or directory")
  }

  @Test func `a file that is no credential stops the start, named once`() async throws {
    let state = try TemporaryState.current()
    let path = state.path + "/state.json"
    let text = try await refusal(state) { $0.imports = [path] }
    #expect(text == "cannot import state.json: its 'type' is not 'service_account'")
    let missing = try await refusal(state) { $0.imports = ["/nonexistent/a.json"] }
    #expect(
      missing == "cannot read /nonexistent/a.json: no such file or directory")
  }

  @Test func `a declared device that is wrong stops the start`() async throws {
    let state = try TemporaryState.current()
    let text = try await refusal(state) { $0.declaredDevices = [["platform": "vms"]] }
    #expect(text.hasPrefix("cannot declare a device of the configuration file: "))
    #expect(text.contains("platform"))
  }

  @Test func `a damaged state folder stops the start with a way out`() async throws {
    let state = try TemporaryState.current()
    try state.write("server.key", "no key")
    let text = try await refusal(state) { _ in }
    #expect(text.contains("server.key") && text.contains("move it"))
  }

  @Test func `a service account named with --import may send`() async throws {
    let other = try TemporaryState.current(of: "stranger")
    let folder = try StateFolder.open(path: other.path, hosts: [], time: SystemTime())
    try await withGateway {
      $0.imports = [other.path + "/service-account.json"]
    } _: { gateway in
      let sender = TestGateway(
        gateway: gateway.gateway, report: gateway.report, state: other, folder: folder,
        clientLoop: gateway.clientLoop)
      let client = try await gateway.connect()
      let bearer = try await sender.accessToken(client)
      let sent = try await sender.send(["topic": "news"], client, bearer: bearer)
      #expect(sent.status == 200)
    }
  }

  @Test func `both loopback addresses serve, as Node tries ::1 first`() async throws {
    try await withGateway { gateway in
      for listener in gateway.report.listeners where listener.kind == "gateway" {
        let client = try await gateway.connect(host: listener.host) {
          $0.serverName = listener.host
        }
        let answer = try await client.request(
          RequestHead(method: "GET", target: "/nothing", authority: gateway.authority))
        #expect(answer.head.status == 404)
      }
    }
  }
}
