import PushpitAPNs
import PushpitDevices
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitGateway

/// Workspaces beside each other on one gateway.
@Suite(.timeLimit(.minutes(5))) struct WorkspacesEndToEndTests {
  @Test
  func `pushes are recorded in the workspace of their credential, and reach its devices only`()
    async throws
  {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace(["name": "ci"])
      #expect(workspace.id == "ci" && workspace.project == "pushpit-ci")
      let device = try await gateway.makeDevice(in: "ci", ["platform": "ios"])
      let token = try gateway.providerToken(of: workspace)
      let good = try await gateway.push(device.apns, authorization: token)
      #expect(good.head.status == 200)
      let mixed = try await gateway.push(device.apns, authorization: gateway.providerToken())
      #expect(mixed.head.status == 400)

      let own = try await gateway.envelopes("workspace=ci")
      #expect(own.map { $0["outcome"]?.stringValue } == ["accepted"])
      let others = try await gateway.envelopes()
      #expect(
        others.map { $0.pointer("/diagnosis/code")?.stringValue } == ["token-of-other-workspace"])
    }
  }

  @Test func `messages of FCM go by the project of the workspace`() async throws {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace()
      let device = try await gateway.makeDevice(in: workspace.id, ["platform": "android"])
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client, account: workspace.account)
      let message: JSONValue = ["token": .string(device.fcm), "notification": ["title": "Hi"]]
      let sent = try await gateway.send(
        message, client, bearer: bearer, project: workspace.project)
      #expect(sent.status == 200)
      let own = try await gateway.accessToken(client)
      let mixed = try await gateway.send(message, client, bearer: own)
      #expect(mixed.json.pointer("/error/details/0/errorCode")?.stringValue == "SENDER_ID_MISMATCH")
      // Without a credential the project in the path tells whose it is.
      let anonymous = try await gateway.send(
        message, client, bearer: "none", project: workspace.project)
      #expect(anonymous.status == 401)
      let statuses = try await gateway.envelopes("workspace=\(workspace.id)&service=fcm").map {
        $0["status"]?.intValue
      }
      #expect(statuses == [200, 401])
    }
  }

  @Test func `what a removed workspace had is gone, on connections that are open too`()
    async throws
  {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace(["name": "gone"])
      let device = try await gateway.makeDevice(in: "gone", ["platform": "ios"])
      let token = try gateway.providerToken(of: workspace)
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client, account: workspace.account)
      func push() async throws -> String {
        let head = gateway.apnsHead(device.apns, authorization: token)
        let answer = try await client.request(head, body: gateway.apnsPayload("Hello"))
        return "\(answer.head.status) \(answer.text)"
      }
      #expect(try await push() == "200 ")
      #expect(try await gateway.call("DELETE", "/api/v1/workspaces/gone").status == 204)

      #expect(try await push() == #"403 {"reason":"InvalidProviderToken"}"#)
      let sent = try await gateway.send(
        ["token": "x"], client, bearer: bearer, project: workspace.project)
      #expect(sent.status == 401)
      for path in ["envelopes?workspace=gone", "workspaces/gone", "devices/\(device.id)"] {
        #expect(try await gateway.call("GET", "/api/v1/\(path)").status == 404)
      }
      #expect(await gateway.gateway.isFree(of: WorkspaceID("gone")))

      // The name is free; the old key is not good for the new one.
      _ = try await gateway.makeWorkspace(["name": "gone"])
      #expect(try await push() == #"403 {"reason":"InvalidProviderToken"}"#)
      await client.close()
    }
  }

  @Test func `a workspace's own port gives it what nobody else claims, and closes with it`()
    async throws
  {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace(["name": "own", "listener": true])
      let port = try #require(workspace.port)
      #expect(workspace.json["gateway"]?.stringValue == "https://localhost:\(port)")
      #expect(workspace.account?["token_uri"]?.stringValue == "https://localhost:\(port)/token")
      let token = String(repeating: "ab", count: 32)
      let unknown = try await gateway.push(token, authorization: "a.b.c", port: port)
      #expect(unknown.head.status == 403)
      let mine = try await gateway.push(token, port: port)
      #expect(mine.head.status == 200)
      #expect(try await gateway.envelopes("workspace=own").count == 1)
      #expect(try await gateway.envelopes().count == 1)

      let idle = try await gateway.connect(port: port)
      #expect(try await gateway.call("DELETE", "/api/v1/workspaces/own").status == 204)
      await #expect(throws: (any Error).self) { try await gateway.connect(port: port) }
      await idle.close()
      // Its place serves the next one.
      let next = try await gateway.makeWorkspace(["listener": true])
      let other = String(repeating: "cd", count: 32)
      _ = try await gateway.push(other, authorization: "a.b.c", port: next.port)
      #expect(try await gateway.envelopes("workspace=\(next.id)").count == 1)
    }
  }

  @Test func `a reset brings back what a workspace was made with, and keeps its credentials`()
    async throws
  {
    try await withGateway {
      $0.declaredDevices = [["platform": "ios", "name": "declared"]]
    } _: { gateway in
      let workspace = try await gateway.makeWorkspace(["settings": ["tokens": "strict"]])
      let path = "/api/v1/workspaces/\(workspace.id)"
      _ = try await gateway.makeDevice(in: workspace.id, ["platform": "ios"])
      _ = try await gateway.call("PATCH", path, body: ["settings": ["tokens": "open"]])
      let query = "?workspace=\(workspace.id)"
      _ = try await gateway.call("POST", "/api/v1/clock\(query)", body: ["advance": "61m"])
      let token = try gateway.providerToken(of: workspace)
      let undeclared = String(repeating: "cd", count: 32)
      #expect(try await gateway.push(undeclared, authorization: token).head.status == 200)

      let reset = try await gateway.call("POST", "/api/v1/reset\(query)")
      #expect(reset.status == 200 && reset.json["devices"]?.intValue == 0)
      #expect(reset.json.pointer("/settings/tokens")?.stringValue == "strict")
      let clock = try await gateway.call("GET", "/api/v1/clock\(query)")
      #expect(clock.json["offset"]?.stringValue == "0s")
      #expect(try await gateway.envelopes("workspace=\(workspace.id)").isEmpty)
      #expect(try await gateway.push(undeclared, authorization: token).head.status == 400)

      _ = try await gateway.makeDevice()
      #expect(try await gateway.call("POST", "/api/v1/reset").json["devices"]?.intValue == 1)
    }
  }

  @Test func `a noisy workspace is held to its limits, and takes nothing from others`() async throws
  {
    try await withGateway { gateway in
      let noisy = try await gateway.makeWorkspace([
        "settings": ["limits.envelopes": 10, "limits.devices": 1]
      ])
      _ = try await gateway.push(String(repeating: "01", count: 32))
      let device = try await gateway.makeDevice(in: noisy.id, ["platform": "ios"])
      let more = try await gateway.call(
        "POST", "/api/v1/devices?workspace=\(noisy.id)", body: ["platform": "ios"])
      #expect(more.status == 429)
      let token = try gateway.providerToken(of: noisy)
      for number in 0..<30 {
        _ = try await gateway.push(device.apns, title: "\(number)", authorization: token)
      }
      let kept = try await gateway.envelopes("workspace=\(noisy.id)")
      #expect((10...11).contains(kept.count))
      let newest = kept.last?.pointer("/payload/aps/alert/title")?.stringValue
      #expect(newest == "29")
      #expect(try await gateway.envelopes().count == 1)
    }
  }

  @Test func `clocks are their workspaces' own`() async throws {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace()
      let token = try gateway.providerToken(of: workspace)
      let target = String(repeating: "ef", count: 32)
      #expect(try await gateway.push(target, authorization: token).head.status == 200)
      let own = try gateway.providerToken()
      let other = String(repeating: "01", count: 32)
      #expect(try await gateway.push(other, authorization: own).head.status == 200)
      _ = try await gateway.call(
        "POST", "/api/v1/clock?workspace=\(workspace.id)", body: ["advance": "61m"])
      let late = try await gateway.push(target, authorization: token)
      #expect(late.text == #"{"reason":"ExpiredProviderToken"}"#)
      #expect(try await gateway.push(other, authorization: own).head.status == 200)
    }
  }

  @Test func `credentials are listed, given out, and removed`() async throws {
    try await withGateway { gateway in
      let workspace = try await gateway.makeWorkspace(["name": "ci"])
      let path = "/api/v1/workspaces/ci/credentials"
      _ = try await gateway.call("POST", path, body: ["kind": "authorizedUser"])
      let listed = try await gateway.call("GET", path).json["items"]?.arrayValue ?? []
      let kinds = listed.map { $0["kind"]?.stringValue ?? "" }
      #expect(
        kinds == ["apnsKey", "authorizedUser", "serviceAccount", "googleServices", "authority"])
      for item in listed {
        let name = try #require(item["name"]?.stringValue)
        #expect(try await gateway.call("GET", "\(path)/\(name)").status == 200)
      }
      let key = try await gateway.download("\(path)/AuthKey_\(workspace.keyID).p8")
      #expect(key == workspace.key)
      #expect(
        try await gateway.call("DELETE", "\(path)/AuthKey_\(workspace.keyID).p8").status == 204)
      #expect(try await gateway.call("GET", "\(path)/AuthKey_\(workspace.keyID).p8").status == 404)
      let token = try gateway.providerToken(of: workspace)
      let push = try await gateway.push(
        String(repeating: "ab", count: 32), authorization: token)
      #expect(push.text == #"{"reason":"InvalidProviderToken"}"#)
      let name = try #require(listed[2]["name"]?.stringValue)
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client, account: workspace.account)
      #expect(try await gateway.call("DELETE", "\(path)/\(name)").status == 204)
      let sent = try await gateway.send(
        ["token": "x"], client, bearer: bearer, project: workspace.project)
      #expect(sent.status == 401)
    }
  }

  @Test func `the default workspace gives out its files, and none of an authority`() async throws {
    try await withGateway { gateway in
      let path = "/api/v1/workspaces/default/credentials"
      let listed = try await gateway.call("GET", path).json["items"]?.arrayValue ?? []
      #expect(listed.count == 4)
      var texts: [String] = []
      for item in listed {
        let name = try #require(item["name"]?.stringValue)
        texts.append(String(decoding: try await gateway.download("\(path)/\(name)"), as: UTF8.self))
      }
      let own = gateway.folder.defaults.apnsKey.keyID
      let pem = try FileSystem.contents(of: gateway.folder.paths.apnsKey(own))
      #expect(texts.contains(String(decoding: pem, as: UTF8.self)))
      for secret in [gateway.folder.paths.authorityKey, gateway.folder.paths.serverKey] {
        let key = String(decoding: try FileSystem.contents(of: secret), as: UTF8.self)
        #expect(!texts.contains { $0.contains(key.dropFirst(40).prefix(40)) })
      }
      for name in ["ca.key", "..%2Fca.key", "server.key", "provider-ca.key"] {
        #expect(try await gateway.call("GET", "\(path)/\(name)").status == 404)
      }
    }
  }

  @Test func `the default workspace stays, and unknown ones are 404`() async throws {
    try await withGateway { gateway in
      #expect(try await gateway.call("DELETE", "/api/v1/workspaces/default").status == 409)
      #expect(try await gateway.call("DELETE", "/api/v1/workspaces/none").status == 404)
      #expect(try await gateway.call("POST", "/api/v1/reset?workspace=none").status == 404)
      let taken = try await gateway.call(
        "POST", "/api/v1/workspaces", body: ["name": "default"])
      #expect(taken.status == 409)
    }
  }
}

extension TestGateway {
  /// Makes a device in a workspace.
  fileprivate func makeDevice(
    in workspace: String, _ specification: JSONValue
  ) async throws -> TestDevice {
    let answer = try await call(
      "POST", "/api/v1/devices?workspace=\(workspace)", body: specification)
    #expect(answer.status == 201)
    let tokens = answer.json["tokens"]
    return TestDevice(
      id: try #require(answer.json["id"]?.stringValue),
      apns: tokens?["apns"]?.stringValue ?? "", fcm: tokens?["fcm"]?.stringValue ?? "")
  }

  /// The bytes of an answer of the console.
  fileprivate func download(_ path: String) async throws -> [UInt8] {
    let client = try await connectConsole()
    let head = RequestHead(
      method: "GET", target: path, authority: "localhost:\(report.consolePort)", scheme: "http")
    let answer = try await client.request(head)
    #expect(answer.head.status == 200)
    await client.close()
    return answer.body
  }
}

extension Gateway {
  /// Whether nothing is kept of a workspace that was removed.
  fileprivate func isFree(of workspace: WorkspaceID) -> Bool {
    guard let core else { return false }
    return core.workspaces.all[workspace] == nil && core.devices.count(in: workspace) == 0
      && core.credentials.entries(of: workspace).isEmpty
      && core.tokens.undeclaredRecords(of: workspace).isEmpty
      && core.store.count(of: .init(workspace: workspace)) == 0
      && core.apns.mints.keys.allSatisfy { $0.workspace != workspace }
      && status?.keeper?.belongings[workspace] == nil
  }
}
