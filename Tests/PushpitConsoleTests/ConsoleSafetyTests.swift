import PushpitDevices
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitConsole

/// Every call of the console against everybody who must not make it.
///
/// Those are a page of another origin, a name that was bound anew, a form, and somebody without the
/// token. A new route is tried by itself.
@Suite struct ConsoleSafetyTests {
  /// A call that would be done if nobody refused it.
  struct Call: CustomTestStringConvertible, Sendable {
    let method: String
    let target: String
    let body: String

    var testDescription: String { "\(method) \(target)" }
    var isHealth: Bool { target == "/livez" || target == "/readyz" }
  }

  static let calls = Console.routes.map { route in
    var values = ["envelopes": "e1", "as": "http", "devices": "DEVICE", "credentials": "key.p8"]
    values["workspaces"] =
      route.method == "DELETE" && route.pattern.count == 4 ? "other" : "default"
    var target = ""
    for (index, segment) in route.pattern.enumerated() {
      let value = segment == "*" ? values[String(route.pattern[index - 1])] : String(segment)
      target += "/" + (value ?? "x")
    }
    if target.isEmpty { target = "/" }
    if target.hasSuffix("/devices/stream") { target += "?device=DEVICE" }
    return Call(
      method: route.method, target: target, body: body(route.method, target))
  }

  private static func body(_ method: String, _ target: String) -> String {
    switch (method, target) {
    case ("POST", "/api/v1/devices"): #"{"platform":"ios"}"#
    case ("POST", "/api/v1/clock"): #"{"advance":"1h"}"#
    case ("POST", "/api/v1/expect"): #"{"match":{},"within":"0s"}"#
    case ("POST", "/api/v1/workspaces"): #"{"name":"third"}"#
    case ("POST", "/api/v1/devices/DEVICE/ack"): #"{"upTo":0}"#
    case ("POST", "/api/v1/workspaces/default/credentials"): #"{"pem":"x"}"#
    case ("PATCH", "/api/v1/devices/DEVICE"): #"{"name":"changed"}"#
    case ("PATCH", _): #"{"settings":{"tokens":"strict"}}"#
    default: method == "GET" ? "" : "{}"
    }
  }

  /// A console in which there is something to read and to change.
  private final class Stage {
    let fixture: ConsoleFixture
    private let device: String
    private let token: String?

    init(token: String? = nil) throws {
      self.token = token
      fixture = ConsoleFixture(access: ConsoleAccess(token: token))
      fixture.status.gateway = [
        "gateway": "https://localhost:2197", "gatewayClear": "http://localhost:2197",
        "state": "/s",
      ]
      fixture.status.keeper.files = ["key.p8": Array("PEM".utf8)]
      _ = try fixture.workspaces.create(WorkspaceID("other"))
      fixture.push()
      let made = try fixture.devices.create(.init(platform: .ios))
      device = made.id.rawValue
    }

    func answer(
      _ call: Call, host: String = "localhost:8197", fields: [(String, String)] = [],
      isBodySent: Bool = true
    ) -> ConsoleAnswer {
      let target = call.target.split(separator: "DEVICE", omittingEmptySubsequences: false)
        .joined(separator: device)
      var head = RequestHead(method: call.method, target: target, authority: host)
      for (name, value) in fields { head.fields.append(name, value) }
      let body = isBodySent ? call.body : ""
      if !body.isEmpty, head.fields.first("content-type") == nil {
        head.fields.append("content-type", "application/json")
      }
      return fixture.console.answer(
        ConsoleRequest(
          head: head, body: Array(body.utf8),
          connection: ConnectionFacts(id: 1, peer: "127.0.0.1:50000", listener: 1)))
    }

    /// All that a call could change.
    var state: [String] {
      let read = ["devices", "envelopes", "clock", "workspaces", "workspaces/default/credentials"]
      let fields: KeyValuePairs = ["authorization": "Bearer \(token ?? "")"]
      return read.map {
        fixture.send("GET", "/api/v1/\($0)?workspace=default", fields: fields).text
      } + ["\(fixture.events.newestID)", "\(fixture.status.keeper.resetIDs)"]
        + ["\(fixture.status.keeper.added)", "\(fixture.events.subscriberCount)"]
    }
  }

  private func head(_ answer: ConsoleAnswer) -> ResponseHead? {
    switch answer {
    case .response(let response): response.head
    case .streaming(let head, _): head
    case .later: nil
    }
  }

  /// Whether the call was let in: on the device nothing is shown that could be tapped.
  private func isDone(_ call: Call, _ head: ResponseHead) -> Bool {
    let needsPush = call.target.hasSuffix("/tap") || call.target.hasSuffix("/dismiss")
    return (200..<300).contains(head.status) || needsPush && head.status == 409
  }

  /// Expects that a call is refused so, and that nothing came of it.
  private func expectRefusal(
    _ status: Int, _ code: ConsoleProblem.Code, _ stage: Stage, _ call: Call,
    _ answer: (Stage) -> ConsoleAnswer
  ) {
    let before = stage.state
    guard case .response(let response) = answer(stage) else {
      Issue.record("\(call.testDescription) was not refused")
      return
    }
    let received = ReceivedResponse(response)
    #expect(received.status == status)
    #expect(received.json["code"] == .string(code.rawValue))
    #expect(received.head.fields.text("content-type") == "application/problem+json")
    #expect(!response.head.fields.pairs.contains { $0.name.hasPrefix("access-control-") })
    #expect(stage.state == before)
  }

  @Test(arguments: calls)
  func `the user of this machine may make every call`(call: Call) throws {
    let stage = try Stage()
    let answer = stage.answer(call)
    guard let head = head(answer) else { return }
    #expect(isDone(call, head))
    #expect(head.fields.text("x-content-type-options") == "nosniff")
    #expect(!head.fields.pairs.contains { $0.name.hasPrefix("access-control-") })
  }

  @Test(arguments: calls.filter { !$0.isHealth })
  func `no call works without the token`(call: Call) throws {
    let stage = try Stage(token: "secret")
    for value in [nil, "Bearer wrong", "Basic c2VjcmV0", "secret"] {
      let fields = value.map { [("authorization", $0)] } ?? []
      expectRefusal(401, .unauthorized, stage, call) { $0.answer(call, fields: fields) }
    }
    let query = Call(
      method: call.method, target: call.target + "?access_token=secret", body: call.body)
    expectRefusal(401, .unauthorized, stage, query) { $0.answer(query) }
    let answer = stage.answer(call, fields: [("authorization", "Bearer secret")])
    #expect(head(answer).map { isDone(call, $0) } ?? true)
  }

  @Test(arguments: calls)
  func `no page of another origin may make a call, with the token or without`(call: Call) throws {
    for token in [nil, "secret"] {
      let stage = try Stage(token: token)
      let own = token.map { [("authorization", "Bearer \($0)")] } ?? []
      for field in [
        ("origin", "https://evil.example"), ("origin", "null"), ("origin", "http://localhost:3000"),
        ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"),
      ] {
        expectRefusal(403, .foreignOrigin, stage, call) { $0.answer(call, fields: own + [field]) }
      }
    }
  }

  @Test(arguments: calls)
  func `a name that was bound to this machine does not help`(call: Call) throws {
    let stage = try Stage()
    for host in ["evil.example", "evil.example:8197", "169.254.169.254", ""] {
      expectRefusal(403, .hostNotAllowed, stage, call) { $0.answer(call, host: host) }
    }
  }

  @Test(arguments: calls)
  func `what a form can send is no call`(call: Call) throws {
    let stage = try Stage()
    let body = call.body.isEmpty ? "{}" : call.body
    let form = Call(method: call.method, target: call.target, body: body)
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
    ] {
      expectRefusal(415, .notJSON, stage, form) {
        $0.answer(form, fields: [("content-type", type)])
      }
    }
  }

  @Test(arguments: calls)
  func `a preflight allows nothing`(call: Call) throws {
    let stage = try Stage()
    let preflight = Call(method: "OPTIONS", target: call.target, body: "")
    expectRefusal(403, .foreignOrigin, stage, preflight) {
      $0.answer(
        preflight,
        fields: [
          ("origin", "https://evil.example"), ("access-control-request-method", call.method),
          ("access-control-request-headers", "content-type"),
        ])
    }
    expectRefusal(405, .methodNotAllowed, stage, preflight) { $0.answer(preflight) }
  }
}
