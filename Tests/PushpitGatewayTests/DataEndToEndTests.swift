import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import Testing

@testable import PushpitGateway

/// What a gateway with `--data` knows after a restart.
@Suite(.timeLimit(.minutes(5))) struct DataEndToEndTests {
  /// A folder for the file, which goes with the test.
  private func withData(_ body: (String) async throws -> Void) async throws {
    let folder = try FileSystem.makeTemporaryFolder("pushpit-data")
    defer { FileSystem.removeFolder(folder) }
    try await body("\(folder)/data.db")
  }

  @Test func `envelopes are there as they were, and new ones come after them`() async throws {
    try await withData { path in
      var before: [JSONValue] = []
      try await withGateway({ $0.dataPath = path }) { gateway in
        let phone = try await gateway.makeDevice(["platform": "ios", "online": true])
        _ = try await gateway.push(phone.apns, title: "One")
        _ = try await gateway.push("nonsense", title: "Two")
        _ = try await gateway.push(phone.apns, title: "Three")
        let newest = try await gateway.envelopes().last?["id"]?.stringValue ?? ""
        _ = try await gateway.call("DELETE", "/api/v1/envelopes?reason=BadDeviceToken")
        before = try await gateway.envelopes()
        #expect(before.count == 2 && newest == "e3")
      }
      try await withGateway({ $0.dataPath = path }) { gateway in
        #expect(try await gateway.envelopes() == before)
        _ = try await gateway.push(String(repeating: "ab", count: 32))
        let last = try await gateway.lastEnvelope()
        #expect(last["id"]?.stringValue == "e4")
        let connections = before.compactMap { $0["connection"]?.intValue }
        #expect(connections.allSatisfy { $0 < last["connection"]?.intValue ?? 0 })
      }
    }
  }

  @Test func `devices keep their tokens and what became of these`() async throws {
    try await withData { path in
      let declared: JSONValue = ["platform": "ios", "name": "declared"]
      var tokens: [String] = []
      var ids: [String] = []
      try await withGateway({
        $0.dataPath = path
        $0.declaredDevices = [declared]
      }) { gateway in
        let phone = try await gateway.makeDevice([
          "platform": "ios", "name": "phone", "online": true, "permission": "denied",
        ])
        let gone = try await gateway.makeDevice()
        let android = try await gateway.makeDevice(["platform": "android", "topics": ["news"]])
        _ = try await gateway.call("POST", "/api/v1/devices/\(phone.id)/rotate-token")
        _ = try await gateway.call("POST", "/api/v1/devices/\(gone.id)/uninstall")
        let removed = try await gateway.makeDevice()
        _ = try await gateway.call("DELETE", "/api/v1/devices/\(removed.id)")
        let renewed = try await gateway.call("GET", "/api/v1/devices/\(phone.id)").json
        tokens = [
          renewed.pointer("/tokens/apns")?.stringValue ?? "", phone.apns, gone.apns, android.fcm,
        ]
        // Stored for the one that is offline.
        _ = try await gateway.push(
          gateway.call("GET", "/api/v1/devices").json["items"]?[3]?.pointer("/tokens/apns")?
            .stringValue ?? "")
        ids = [phone.id, gone.id, android.id]
      }
      try await withGateway({
        $0.dataPath = path
        $0.declaredDevices = [declared]
      }) { gateway in
        let items = try await gateway.call("GET", "/api/v1/devices").json["items"]?.arrayValue ?? []
        #expect(
          items.map { $0["id"]?.stringValue }.suffix(4).dropLast() == [ids[2], ids[1], ids[0]])
        #expect(items.count == 4 && items.last?["name"]?.stringValue == "declared")
        let phone = try #require(items.first { $0["id"]?.stringValue == ids[0] })
        #expect(phone["permission"]?.stringValue == "denied" && phone["online"] == true)
        #expect(items[0]["topics"] == ["news"])
        var answers: [String] = []
        for token in tokens.prefix(3) {
          answers.append(try await gateway.push(token).text.prefix(24).description)
        }
        #expect(answers == ["", #"{"reason":"Unregistered""#, #"{"reason":"Unregistered""#])
        let stored = try await gateway.envelopes().first?.pointer("/deliveries/0")
        #expect(stored?["state"]?.stringValue == "dropped")
        #expect(stored?["cause"]?.stringValue == "the gateway was restarted meanwhile")
      }
    }
  }

  @Test func `workspaces keep their credentials, settings, clock and port`() async throws {
    try await withData { path in
      var made: TestWorkspace?
      try await withGateway({ $0.dataPath = path }) { gateway in
        made = try await gateway.makeWorkspace([
          "name": "ci", "listener": true, "settings": ["tokens": "strict"],
        ])
        _ = try await gateway.makeWorkspace(["name": "gone"])
        _ = try await gateway.call("DELETE", "/api/v1/workspaces/gone")
        _ = try await gateway.call(
          "PATCH", "/api/v1/workspaces/ci", body: ["settings": ["tokens": "open"]])
        for name in ["ci", "default"] {
          _ = try await gateway.call(
            "POST", "/api/v1/clock?workspace=\(name)", body: ["advance": "2h"])
        }
      }
      let workspace = try #require(made)
      try await withGateway({ $0.dataPath = path }) { gateway in
        let all = try await gateway.call("GET", "/api/v1/workspaces").json["items"]?.arrayValue
        #expect(all?.map { $0["id"]?.stringValue } == ["ci", "default"])
        #expect(all?.first?["port"]?.intValue == workspace.port)
        let token = String(repeating: "ab", count: 32)
        let push = try await gateway.push(
          token, authorization: gateway.providerToken(of: workspace), port: workspace.port)
        #expect(push.head.status == 200)
        let client = try await gateway.connect()
        _ = try await gateway.accessToken(client, account: workspace.account)
        #expect(try await gateway.envelopes("workspace=ci").count == 2)
        for name in ["ci", "default"] {
          let clock = try await gateway.call("GET", "/api/v1/clock?workspace=\(name)")
          #expect(clock.json["offset"]?.stringValue == "2h")
        }
        let reset = try await gateway.call("POST", "/api/v1/reset?workspace=ci")
        #expect(reset.json.pointer("/settings/tokens")?.stringValue == "strict")
      }
      try await withGateway({ $0.dataPath = path }) { gateway in
        let rest = try await gateway.envelopes("workspace=ci")
        #expect(rest.isEmpty)
      }
    }
  }

  @Test func `a file that another gateway uses stops the start with one line`() async throws {
    try await withData { path in
      try await withGateway({ $0.dataPath = path }) { _ in
        await #expect(
          throws: GatewayError.configuration(
            "cannot open \(path): another gateway uses it; give each a file of its own with --data")
        ) {
          try await withGateway({ $0.dataPath = path }) { _ in }
        }
      }
    }
  }
}
