import PushpitDevices
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording

@testable import PushpitConsole

/// A console with everything around it, on a fixed time, without sockets.
final class ConsoleFixture {
  let time = FixedTime(Timestamp(milliseconds: 1_768_440_615_010))
  let store = EnvelopeStore(countLimit: 100)
  let events = EventHub(historyLimit: 20)
  let workspaces = WorkspaceDirectory()
  let tokens = TokenRegistry()
  let devices: DeviceDirectory
  let timers = ManualTimers()
  let status = FixedStatus()
  let console: Console
  private var readers: [StreamReader] = []

  init(access: ConsoleAccess = ConsoleAccess()) {
    devices = DeviceDirectory(
      tokens: tokens, random: RandomSource(seed: 1), time: time, workspaces: workspaces,
      credentials: CredentialDirectory())
    console = Console(
      store: store, events: events, devices: devices, workspaces: workspaces, tokens: tokens,
      time: time, timers: timers, status: status, access: access)
    status.keeper.workspaces = workspaces
  }

  /// A stream and its sink hold each other until one of them ends it.
  deinit {
    for reader in readers { reader.close() }
  }

  /// Sends a request that is valid unless fields say otherwise.
  func answer(
    _ method: String, _ target: String, host: String = "localhost:8197",
    fields: KeyValuePairs<String, String> = [:], body: String = "", isBodyCut: Bool = false
  ) -> ConsoleAnswer {
    var head = RequestHead(method: method, target: target, authority: host, fields: fields)
    if !body.isEmpty, head.fields.first("content-type") == nil {
      head.fields.append("content-type", "application/json")
    }
    return console.answer(
      ConsoleRequest(
        head: head, body: Array(body.utf8), isBodyCut: isBodyCut,
        connection: ConnectionFacts(id: 1, peer: "127.0.0.1:50000", listener: 1)))
  }

  /// Sends a request whose answer is whole.
  func send(
    _ method: String, _ target: String, host: String = "localhost:8197",
    fields: KeyValuePairs<String, String> = [:], body: String = "", isBodyCut: Bool = false
  ) -> ReceivedResponse {
    let answer = answer(
      method, target, host: host, fields: fields, body: body, isBodyCut: isBodyCut)
    switch answer {
    case .response(let response): return ReceivedResponse(response)
    case .later(let pending):
      // What is answered at once here, is so in the test too; what is not has no status yet.
      var received = ReceivedResponse(Response(status: 0))
      pending.sendBy { received = ReceivedResponse($0) }
      return received
    case .streaming: return ReceivedResponse(Response(status: 0))
    }
  }

  /// Opens a stream; nil when it was refused.
  ///
  /// Its reader has left this many bytes unread already.
  func open(
    _ target: String, fields: KeyValuePairs<String, String> = [:], unread: Int = 0
  ) -> StreamReader? {
    guard case .streaming(_, let producer) = answer("GET", target, fields: fields) else {
      return nil
    }
    let reader = StreamReader(producer)
    reader.bufferedByteCount = unread
    readers.append(reader)
    producer.start(reader)
    return reader
  }

  /// Records an accepted APNs push, and tells the events.
  @discardableResult
  func push(
    workspace: WorkspaceID = .default, _ change: (inout PushOutcome) -> Void = { _ in }
  ) -> EnvelopeNumber {
    var outcome = PushOutcome(service: .apns, workspace: workspace, status: 200)
    outcome.topic = Array("com.example.app".utf8)[...]
    change(&outcome)
    let head = RequestHead(method: "POST", target: "/3/device/abc")
    let number = store.append(
      PushRequest(
        head: head, body: Array(#"{"aps":{"alert":"Hi"}}"#.utf8), receivedAt: time.now),
      outcome,
      EnvelopeOrigin(
        receivedAt: time.now, answeredAt: time.now, connection: 1, stream: 1, httpProtocol: .http2,
        tls: nil))
    events.post(.envelope(number), workspace: workspace, at: time.now)
    return number
  }

  /// Makes an iOS device over the API and returns its JSON.
  func makeDevice(workspace: String = "default") -> JSONValue {
    send("POST", "/api/v1/devices?workspace=\(workspace)", body: #"{"platform":"ios"}"#).json
  }
}

/// An answer as a test reads it.
struct ReceivedResponse {
  let status: Int
  let head: ResponseHead
  let text: String
  let json: JSONValue

  init(_ response: Response) {
    status = response.head.status
    head = response.head
    text = String(decoding: response.body, as: UTF8.self)
    json = (try? JSONReader.parse(response.body)) ?? .null
  }

  /// The ids of a list's items.
  var ids: [String] { (json["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue } }
}

/// A sink that a test reads events from; it stops its producer as a session does.
final class StreamReader: ResponseSink {
  private let producer: any ResponseProducer
  private(set) var text = ""
  private(set) var isFinished = false
  var bufferedByteCount = 0

  init(_ producer: any ResponseProducer) {
    self.producer = producer
  }

  func write(_ bytes: [UInt8]) -> Bool {
    guard !isFinished else { return false }
    text += String(decoding: bytes, as: UTF8.self)
    return true
  }

  func finish() { close() }

  /// The peer goes away.
  func close() {
    guard !isFinished else { return }
    isFinished = true
    producer.stop()
  }

  /// The events so far: id, name and data; comments left out.
  var events: [(id: String?, name: String, data: JSONValue)] {
    text.split(separator: "\n\n").filter { !$0.hasPrefix(":") }.map { block in
      var fields: [Substring: String] = [:]
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ": ", maxSplits: 1)
        fields[parts[0]] = parts.count > 1 ? String(parts[1]) : ""
      }
      let data = (try? JSONReader.parse(Array((fields["data"] ?? "").utf8))) ?? .null
      return (fields["id"], fields["event"] ?? "", data)
    }
  }
}

/// Timers that fire when a test says so.
final class ManualTimers: ConsoleTimers {
  private final class Entry: ConsoleTimer {
    let deadline: Duration
    var action: (() -> Void)?

    init(_ deadline: Duration, _ action: @escaping () -> Void) {
      self.deadline = deadline
      self.action = action
    }

    func cancel() { action = nil }
  }

  private var now = Duration.zero
  private var entries: [Entry] = []

  /// Timers that would still fire.
  var count: Int { entries.count { $0.action != nil } }

  func after(_ delay: Duration, _ action: @escaping () -> Void) -> any ConsoleTimer {
    let entry = Entry(now + delay, action)
    entries.append(entry)
    return entry
  }

  /// Lets time pass and fires what is due, in order.
  func advance(by duration: Duration) {
    let end = now + duration
    while let next = entries.filter({ $0.action != nil && $0.deadline <= end })
      .min(by: { $0.deadline < $1.deadline })
    {
      now = next.deadline
      let action = next.action
      next.cancel()
      action?()
    }
    now = end
  }
}

/// A gateway that is what a test wants it to be.
final class FixedStatus: ConsoleStatus {
  var isReady = true
  var gateway: JSONValue = ["gateway": "https://localhost:2197", "pid": 7]
  var gatewayURL = "https://localhost:2197"
  var version = "0.1"
  var connections: [ConnectionEntry] = []
  var providerKeys: [ProviderKeyEntry] = []
  var forgottenConnectionCount: UInt64 = 2
  var openConnectionCount = 2
  var acceptedConnectionCount: UInt64 = 5
  /// How often it was asked for one connection.
  private(set) var lookupCount = 0

  func connection(_ id: UInt64) -> ConnectionEntry? {
    lookupCount += 1
    return connections.first { $0.facts.id == id }
  }

  var lostData: (batchCount: UInt64, entryCount: UInt64) = (0, 0)
  let keeper = FakeWorkspaces()
  var workspaceKeeper: (any ConsoleWorkspaces)? { keeper }
}

/// Keeps workspaces without credentials.
final class FakeWorkspaces: ConsoleWorkspaces {
  /// The directory that the console has.
  var workspaces = WorkspaceDirectory()
  /// What waits for its answer; nil to answer at once.
  var waiting: [() -> Void]?
  /// Of workspaces that have one of their own.
  var ports: [WorkspaceID: Int] = [:]
  private(set) var added: [JSONValue] = []
  private(set) var resetIDs: [WorkspaceID] = []
  var files: [String: [UInt8]] = [:]

  func make(
    _ wish: WorkspaceWish, then answer: @escaping (Result<NewWorkspace, ConsoleProblem>) -> Void
  ) {
    do {
      let workspace = try workspaces.create(wish.id ?? WorkspaceID("ws-1"))
      let finish = {
        answer(.success(NewWorkspace(workspace: workspace, credentials: ["ca": "PEM"])))
      }
      if waiting != nil { waiting?.append(finish) } else { finish() }
    } catch {
      answer(.failure(ConsoleProblem(409, .conflict, "There is one already.")))
    }
  }

  func reset(_ workspace: Workspace) {
    resetIDs.append(workspace.id)
    workspace.reset()
  }

  func changed(_ workspace: Workspace) {}

  func remove(_ workspace: Workspace) { workspaces.remove(workspace.id) }

  func gateway(of workspace: WorkspaceID) -> (url: String, port: Int?) {
    let port = ports[workspace]
    return ("https://localhost:\(port ?? 2197)", port)
  }

  func credentials(of workspace: Workspace) -> [JSONValue] {
    files.keys.sorted().map { ["name": .string($0), "kind": "apnsKey"] }
  }

  func addCredential(
    _ body: JSONValue, to workspace: Workspace,
    then answer: @escaping (Result<JSONValue, ConsoleProblem>) -> Void
  ) {
    guard body["pem"] != nil else {
      return answer(
        .failure(.invalid([.init(.body(pointer: "/pem"), "The member pem is missing.")])))
    }
    added.append(body)
    answer(.success(["kind": "apnsKey", "workspace": .string(workspace.id.rawValue)]))
  }

  func credentialFile(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> [UInt8]? { files[name] }

  func removeCredential(
    named name: String, of workspace: Workspace
  ) throws(ConsoleProblem) -> Bool {
    files.removeValue(forKey: name) != nil
  }
}
