import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitNetwork
import Testing

@testable import PushpitGateway

/// Runs a gateway of its own, on free ports and a copy of a prepared state folder, for one test.
func withGateway(
  hosts: [String] = [], _ change: (inout GatewayConfiguration) -> Void = { _ in },
  _ body: (TestGateway) async throws -> Void
) async throws {
  let running = try await TestGateway.start(change, hosts: hosts)
  do {
    try await body(running)
  } catch {
    await running.stop()
    throw error
  }
  await running.stop()
}

/// A running gateway, what its state folder holds, and clients for it.
struct TestGateway: Sendable {
  let gateway: Gateway
  let report: ReadyReport
  let state: TemporaryState
  let folder: StateFolder
  /// All clients of a test share it.
  let clientLoop: EventLoop

  static func start(
    _ change: (inout GatewayConfiguration) -> Void = { _ in }, hosts: [String] = []
  ) async throws -> TestGateway {
    let state = try TemporaryState.current(
      of: hosts.isEmpty ? "gateway" : "hosts", hosts: hosts)
    let configuration = configuration(state) {
      $0.hosts = hosts
      change(&$0)
    }
    let gateway = Gateway(configuration, loop: try EventLoop())
    let report = try await gateway.start()
    return TestGateway(
      gateway: gateway, report: report, state: state,
      folder: try StateFolder.open(path: state.path, hosts: [], time: SystemTime()),
      clientLoop: try EventLoop())
  }

  /// Free ports and a quiet log, then what the test wants.
  static func configuration(
    _ state: TemporaryState, _ change: (inout GatewayConfiguration) -> Void = { _ in }
  ) -> GatewayConfiguration {
    var configuration = GatewayConfiguration()
    configuration.port = 0
    configuration.consolePort = 0
    configuration.state = .folder(state.path)
    configuration.logLevel = .error
    configuration.callbackTimeLimit = .seconds(120)
    change(&configuration)
    return configuration
  }

  func stop() async {
    await clientLoop.stop()
    await gateway.stop()
  }

  /// `localhost:` and the gateway's port.
  var authority: String { "localhost:\(report.gatewayPort)" }

  // MARK: Clients

  /// Connects to the gateway by TLS, as a sender that trusts it.
  func connect(
    protocols: [String] = ["h2"], host: String = "localhost", port: Int? = nil,
    _ change: (inout ClientOptions.TLS) -> Void = { _ in }
  ) async throws -> HTTPClient {
    var tls = ClientOptions.TLS(authorities: folder.certificates.authority)
    tls.protocols = protocols
    change(&tls)
    return try await HTTPClient.connect(
      to: host, port: port ?? report.gatewayPort, ClientOptions(tls: tls), loop: clientLoop)
  }

  /// Connects to the gateway in clear text.
  func connectClear(_ version: HTTPProtocol) async throws -> HTTPClient {
    try await HTTPClient.connect(
      to: "127.0.0.1", port: report.gatewayPort, ClientOptions(assumedProtocol: version),
      loop: clientLoop)
  }

  /// Connects to the console.
  func connectConsole(_ version: HTTPProtocol = .http2) async throws -> HTTPClient {
    try await HTTPClient.connect(
      to: "localhost", port: report.consolePort, ClientOptions(assumedProtocol: version),
      loop: clientLoop)
  }

  // MARK: Console

  /// Calls the console.
  func call(
    _ method: String, _ path: String, body: JSONValue? = nil,
    fields: KeyValuePairs<String, String> = [:], host: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let bytes = body?.serialized() ?? []
    var head = RequestHead(
      method: method, target: path, authority: host ?? "localhost:\(report.consolePort)",
      scheme: "http", fields: fields)
    if !bytes.isEmpty { head.fields.append("content-type", "application/json") }
    let client = try await connectConsole()
    let answer = try await client.request(head, body: bytes)
    await client.close()
    return (answer.head.status, (try? JSONReader.parse(answer.body)) ?? .null)
  }

  /// The envelopes that a query finds, oldest first.
  func envelopes(_ query: String = "") async throws -> [JSONValue] {
    let answer = try await call("GET", "/api/v1/envelopes?limit=1000&\(query)")
    #expect(answer.status == 200)
    return (answer.json["items"]?.arrayValue ?? []).reversed()
  }

  /// The newest envelope.
  func lastEnvelope() async throws -> JSONValue {
    try #require(try await envelopes().last)
  }

  /// Makes a device and returns it.
  func makeDevice(_ specification: JSONValue = ["platform": "ios"]) async throws -> TestDevice {
    let answer = try await call("POST", "/api/v1/devices", body: specification)
    #expect(answer.status == 201)
    let id = try #require(answer.json["id"]?.stringValue)
    let tokens = answer.json["tokens"]
    return TestDevice(
      id: id, apns: tokens?["apns"]?.stringValue ?? "", fcm: tokens?["fcm"]?.stringValue ?? "")
  }

  /// Opens a device's stream.
  func follow(_ device: TestDevice) async throws -> EventFeed {
    try await follow("/api/v1/devices/\(device.id)/stream")
  }

  /// Opens any stream of events of the console.
  func follow(_ target: String) async throws -> EventFeed {
    let client = try await connectConsole()
    let head = RequestHead(
      method: "GET", target: target, authority: "localhost:\(report.consolePort)", scheme: "http")
    let answer = try await client.stream(head)
    #expect(answer.head.status == 200)
    return EventFeed(answer, client: client)
  }

  /// Asks again until the newest connections have an entry with this diagnosis.
  ///
  /// A connection's end is noted when its last bytes have gone, so it may take a turn or two.
  func connection(diagnosed code: String) async throws -> JSONValue {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      let answer = try await call("GET", "/api/v1/connections")
      let found = (answer.json["items"]?.arrayValue ?? []).first {
        $0.pointer("/diagnosis/code")?.stringValue == code
      }
      if let found { return found }
    }
    Issue.record("no connection was diagnosed \(code)")
    return .null
  }
}

/// A device of the console and its tokens.
struct TestDevice: Sendable {
  let id: String
  let apns: String
  let fcm: String
}
