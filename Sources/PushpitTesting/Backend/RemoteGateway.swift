internal import PushpitClient
internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork

/// A workspace of a gateway that runs elsewhere, asked over its console.
struct RemoteGateway: GatewayBackend {
  let console: ConsoleConnection
  let place: GatewayPlace
  let loop: EventLoop
  let inboxes: Inboxes
  let credentials: TestCredentials
  private let followers = DeviceFollowers()

  /// Connects, and makes a workspace.
  static func start(
    _ url: String, token: String?, _ options: GatewayOptions
  ) async throws(TestGatewayError) -> RemoteGateway {
    let loop: EventLoop
    do throws(NetworkError) { loop = try EventLoop() } catch { throw .start("\(error)") }
    do throws(ConsoleCallError) {
      let console = try await ConsoleConnection.connect(to: url, token: token, loop: loop)
      let wish: JSONValue = [
        "settings": ["tokens": options.acceptsUnknownTokens ? "open" : "strict"]
      ]
      let made = try await console.call("POST", "/api/v1/workspaces", body: wish)
      let running = try await console.call("GET", "/api/v1/gateway")
      return try RemoteGateway(console, loop, made, running, token)
    } catch {
      await loop.stop()
      throw .start("\(error)")
    }
  }

  private init(
    _ console: ConsoleConnection, _ loop: EventLoop, _ made: JSONValue, _ running: JSONValue,
    _ token: String?
  ) throws(ConsoleCallError) {
    func text(_ value: JSONValue, _ pointer: String) throws(ConsoleCallError) -> String {
      guard let text = value.pointer(pointer)?.stringValue else {
        throw .unreadable("the console's answer has no \(pointer)")
      }
      return text
    }
    func file(_ pointer: String) -> String {
      String(decoding: made.pointer(pointer)?.serialized() ?? [], as: UTF8.self)
    }
    self.console = console
    self.loop = loop
    inboxes = Inboxes(loop: loop)
    let url = try text(made, "/gateway")
    place = GatewayPlace(
      url: url, clearURL: try text(running, "/gatewayClear"), consoleURL: console.url,
      consoleToken: token, port: Int(url.split(separator: ":").last ?? "") ?? 0,
      workspace: try text(made, "/id"))
    credentials = TestCredentials(
      certificateAuthority: try text(made, "/credentials/ca"),
      apnsKey: try text(made, "/credentials/apns/privateKey"),
      apnsKeyID: try text(made, "/credentials/apns/keyID"),
      teamID: try text(made, "/credentials/apns/teamID"),
      serviceAccount: file("/credentials/fcm/serviceAccount"),
      projectID: try text(made, "/credentials/fcm/projectID"),
      googleServices: file("/credentials/fcm/googleServices"))
  }

  func makeDevice(
    _ specification: JSONValue
  ) async throws(TestGatewayError) -> (id: String, name: String) {
    let made = try await call("POST", "/api/v1/devices", body: specification)
    let id = made["id"]?.stringValue ?? ""
    let events: ConsoleEvents
    do throws(ConsoleCallError) {
      events = try await console.events(devicePath(id) + "/stream", query)
    } catch {
      throw .device("\(error)")
    }
    let (inboxes, backend) = (inboxes, self)
    followers.add(
      Task {
        for try await event in events where event.kind == "push" {
          let push = await backend.received(event.data, on: id)
          await inboxes.take(push, of: id)
        }
      })
    return (id, made["name"]?.stringValue ?? id)
  }

  func token(of device: String, _ name: AppToken) async throws(TestGatewayError) -> String {
    let tokens = try await call("GET", devicePath(device))["tokens"]
    guard let token = tokens?[name.rawValue] else {
      throw .device("the device has no token \(name.rawValue)")
    }
    guard let text = token.stringValue else {
      throw .device("the device has no token \(name.rawValue), or waits for it")
    }
    return text
  }

  func perform(_ action: DeviceAction, on device: String) async throws(TestGatewayError) {
    let path = devicePath(device)
    func post(_ verb: String, _ envelope: String? = nil) async throws(TestGatewayError) {
      _ = try await call(
        "POST", "\(path)/\(verb)", body: envelope.map { ["envelope": .string($0)] })
    }
    switch action {
    case .change(let change): _ = try await call("PATCH", path, body: change)
    case .tap(let envelope): try await post("tap", envelope)
    case .dismiss(let envelope): try await post("dismiss", envelope)
    case .rotateToken: try await post("rotate-token")
    case .uninstall: try await post("uninstall")
    case .reinstall: try await post("reinstall")
    case .clearToken: try await post("clear-token")
    }
  }

  func inbox(of device: String) async throws(TestGatewayError) -> [ReceivedPush] {
    let items = try await call("GET", devicePath(device))["inbox"]?.arrayValue ?? []
    var pushes: [ReceivedPush] = []
    for item in items { pushes.append(await received(item, on: device)) }
    return pushes
  }

  func envelopes(limit: Int) async -> [RecordedEnvelope] {
    let page = try? await console.call(
      "GET", "/api/v1/envelopes", query + [("limit", String(min(max(limit, 1), 1000)))])
    return (page?["items"]?.arrayValue ?? []).reversed().map(RecordedEnvelope.init)
  }

  func advanceClock(by duration: Duration) async throws(TestGatewayError) {
    do throws(ConsoleCallError) {
      _ = try await console.call(
        "POST", "/api/v1/clock", query, body: ["advance": .string(DurationText.write(duration))])
    } catch {
      throw .clock("\(error)")
    }
  }

  func now() async throws(TestGatewayError) -> Int64 {
    let shown = try await call("GET", "/api/v1/clock")["now"]?.stringValue
    guard let now = shown.flatMap({ Timestamp(rfc3339: $0) }) else {
      throw .clock("the console's clock shows no time")
    }
    return now.seconds
  }

  func writeCredentials(
    to folder: String
  ) async throws(TestGatewayError) -> TestCredentialFiles {
    let files = TestCredentialFiles(
      folder: folder, certificateAuthority: "\(folder)/ca.pem",
      certificateBundle: "\(folder)/ca-bundle.pem",
      apnsKey: "\(folder)/AuthKey_\(credentials.apnsKeyID).p8",
      serviceAccount: "\(folder)/service-account.json",
      googleServices: "\(folder)/google-services.json")
    let authority = Array(credentials.certificateAuthority.utf8)
    let contents = [
      (files.certificateAuthority, authority),
      (files.certificateBundle, SystemAuthorities.pem + authority),
      (files.apnsKey, Array(credentials.apnsKey.utf8)),
      (files.serviceAccount, Array(credentials.serviceAccount.utf8)),
      (files.googleServices, Array(credentials.googleServices.utf8)),
    ]
    do throws(FileError) {
      for (path, bytes) in contents {
        try FileSystem.writeAtomically(bytes, to: path, for: .owner)
      }
    } catch {
      throw .files("\(error)")
    }
    return files
  }

  func stop() async {
    await inboxes.stop()
    followers.cancelAll()
    // A gateway that has stopped meanwhile has no workspace to remove.
    _ = try? await console.call("DELETE", "/api/v1/workspaces/\(place.workspace)")
    await console.close()
    await loop.stop()
  }

  private var query: [(String, String)] { [("workspace", place.workspace)] }

  private func devicePath(_ id: String) -> String { "/api/v1/devices/\(id)" }

  private func call(
    _ method: String, _ path: String, body: JSONValue? = nil
  ) async throws(TestGatewayError) -> JSONValue {
    do throws(ConsoleCallError) {
      return try await console.call(method, path, query, body: body)
    } catch {
      throw .device("\(error)")
    }
  }

  /// A push of a device's stream or inbox, with why it has its state.
  private func received(_ item: JSONValue, on device: String) async -> ReceivedPush {
    let id = item["envelope"]?.stringValue ?? ""
    let envelope = try? await console.call("GET", "/api/v1/envelopes/\(id)", query)
    let delivery = envelope?["deliveries"]?.arrayValue?.first {
      $0["device"]?.stringValue == device
    }
    return ReceivedPush(item, delivery: delivery, payload: item["payload"] ?? envelope?["payload"])
  }
}
