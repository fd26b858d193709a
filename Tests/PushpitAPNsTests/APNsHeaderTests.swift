import PushpitModel
import Testing

@testable import PushpitAPNs

/// One thing broken in a valid push, and the one answer to it.
struct Broken: CustomTestStringConvertible, Sendable {
  let name: String
  let reason: APNsReason
  let code: DiagnosisCode
  let change: @Sendable (inout TestPush) -> Void

  var testDescription: String { name }

  init(
    _ name: String, _ reason: APNsReason, _ code: DiagnosisCode,
    _ change: @escaping @Sendable (inout TestPush) -> Void
  ) {
    self.name = name
    self.reason = reason
    self.code = code
    self.change = change
  }
}

@Suite struct APNsHeaderTests {
  static let broken: [Broken] = [
    Broken("GET", .methodNotAllowed, .methodNotPost) { $0.method = "GET" },
    Broken("post in lower case", .methodNotAllowed, .methodNotPost) { $0.method = "post" },
    Broken("another path", .badPath, .pathOfNoEndpoint) { $0.target = "/3/devices/aa" },
    Broken("another path and no credential", .missingProviderToken, .pathOfNoEndpoint) {
      $0.target = "/v1/projects/p/messages:send"
      $0.set("authorization", nil)
    },
    Broken("another path and GET", .methodNotAllowed, .pathOfNoEndpoint) {
      $0.method = "GET"
      $0.target = "/"
    },
    Broken("no slash after device", .badPath, .pathOfNoEndpoint) { $0.target = "/3/device" },
    Broken("no token", .missingDeviceToken, .deviceTokenMissing) { $0.target = "/3/device/" },
    Broken("no token but a query", .missingDeviceToken, .deviceTokenMissing) {
      $0.target = "/3/device/?a=b"
    },
    Broken("apns-priority twice", .duplicateHeaders, .headerRepeated) {
      $0.fields.append(("apns-priority", "10"))
    },
    Broken("authorization twice", .duplicateHeaders, .headerRepeated) {
      $0.fields.append(("authorization", "bearer x"))
    },
    Broken("apns-id without hyphens", .badMessageID, .apnsIDNotUUID) {
      $0.set("apns-id", "0b5c2a1e5f0a4b7e9d532f6a0d8c1e77")
    },
    Broken("apns-id with a g", .badMessageID, .apnsIDNotUUID) {
      $0.set("apns-id", "gb5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77")
    },
    Broken("apns-id in braces", .badMessageID, .apnsIDNotUUID) {
      $0.set("apns-id", "{b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e7}")
    },
    Broken("no topic", .missingTopic, .topicMissing) { $0.set("apns-topic", nil) },
    Broken("empty topic", .missingTopic, .topicMissing) { $0.set("apns-topic", "") },
    Broken("topic with a space", .badTopic, .topicMalformed) { $0.set("apns-topic", "com. x") },
    Broken("topic with a slash", .badTopic, .topicMalformed) { $0.set("apns-topic", "com/x") },
    Broken("topic of 256 bytes", .badTopic, .topicMalformed) {
      $0.set("apns-topic", String(repeating: "a", count: 256))
    },
    Broken("unknown push type", .invalidPushType, .pushTypeUnknown) {
      $0.set("apns-push-type", "alarm")
    },
    Broken("push type in upper case", .invalidPushType, .pushTypeUnknown) {
      $0.set("apns-push-type", "Alert")
    },
    Broken("empty push type", .invalidPushType, .pushTypeUnknown) {
      $0.set("apns-push-type", "")
    },
    Broken("priority 7", .badPriority, .priorityInvalid) { $0.set("apns-priority", "7") },
    Broken("priority 010", .badPriority, .priorityInvalid) { $0.set("apns-priority", "010") },
    Broken("priority 05", .badPriority, .priorityInvalid) { $0.set("apns-priority", "05") },
    Broken("priority high", .badPriority, .priorityInvalid) { $0.set("apns-priority", "high") },
    Broken("priority 266, which is 10 in eight bits", .badPriority, .priorityInvalid) {
      $0.set("apns-priority", "266")
    },
    Broken("expiration with a fraction, observed 2018", .badExpirationDate, .expirationNotInteger) {
      $0.set("apns-expiration", "1518080000.123")
    },
    Broken("expiration beyond 64 bits", .badExpirationDate, .expirationNotInteger) {
      $0.set("apns-expiration", "9223372036854775808")
    },
    Broken("empty expiration", .badExpirationDate, .expirationNotInteger) {
      $0.set("apns-expiration", "")
    },
    Broken("collapse id of 65 bytes", .badCollapseID, .collapseIDTooLong) {
      $0.set("apns-collapse-id", String(repeating: "x", count: 65))
    },
    Broken("collapse id of 33 letters and 66 bytes", .badCollapseID, .collapseIDTooLong) {
      $0.set("apns-collapse-id", String(repeating: "é", count: 33))
    },
    Broken("no body", .payloadEmpty, .payloadEmpty) { $0.body = [] },
    Broken("body of 4097 bytes", .payloadTooLarge, .payloadTooLarge) {
      $0.body = payload(4097)
    },
    Broken("body cut by the listener", .payloadTooLarge, .payloadTooLarge) {
      $0.isBodyCut = true
    },
    Broken("no JSON", .payloadEmpty, .payloadNotJSON) { $0.body = Array("hello".utf8) },
    Broken("a JSON array", .payloadEmpty, .payloadNotJSON) { $0.body = Array("[1]".utf8) },
    Broken("half of a surrogate pair", .payloadEmpty, .payloadNotJSON) {
      $0.body = Array(#"{"aps":{"alert":"\ud83d"}}"#.utf8)
    },
    Broken("JSON with a tail", .payloadEmpty, .payloadNotJSON) { $0.body = Array("{} x".utf8) },
  ]

  @Test(arguments: broken)
  func `one fault gives its one reason and its diagnosis`(fault: Broken) throws {
    let gateway = try Gateway()
    let answer = gateway.send(fault.change)
    #expect(answer.reason == fault.reason.rawValue)
    #expect(answer.status == fault.reason.status)
    #expect(answer.body == #"{"reason":"\#(fault.reason.rawValue)"}"#)
    #expect(answer.code == fault.code)
    #expect(answer.outcome.diagnosis?.what.isEmpty == false)
    #expect(answer.outcome.diagnosis?.fix.isEmpty == false)
  }

  static let good: [(name: String, change: @Sendable (inout TestPush) -> Void)] = [
    (
      "only authorization and topic",
      {
        $0.fields.removeSubrange(3...)
        $0.set("apns-id", nil)
      }
    ),
    ("no push type", { $0.set("apns-push-type", nil) }),
    ("background", { $0.set("apns-push-type", "background") }),
    ("mdm", { $0.set("apns-push-type", "mdm") }),
    ("priority 5", { $0.set("apns-priority", "5") }),
    ("priority 1", { $0.set("apns-priority", "1") }),
    ("a past expiration", { $0.set("apns-expiration", "1") }),
    ("a negative expiration", { $0.set("apns-expiration", "-1") }),
    ("an expiration in milliseconds", { $0.set("apns-expiration", "1700000000000") }),
    (
      "collapse id of 64 bytes",
      {
        $0.set("apns-collapse-id", String(repeating: "x", count: 64))
      }
    ),
    ("an empty collapse id", { $0.set("apns-collapse-id", "") }),
    ("a body of 4096 bytes", { $0.body = payload(4096) }),
    ("the body {} of a pass", { $0.body = Array("{}".utf8) }),
    ("no aps, as MDM", { $0.body = Array(#"{"mdm":"magic"}"#.utf8) }),
    ("nulls", { $0.body = Array(#"{"aps":{"sound":null}}"#.utf8) }),
    ("curl's content type", { $0.set("content-type", "application/x-www-form-urlencoded") }),
    ("an unknown apns- field", { $0.set("apns-future", "1") }),
    ("a repeated other field", { $0.fields += [("accept", "a"), ("accept", "b")] }),
    ("a query", { $0.target += "?a=b" }),
  ]

  @Test(arguments: good.indices)
  func `what is unusual but legal is accepted`(index: Int) throws {
    let gateway = try Gateway()
    let answer = gateway.send(Self.good[index].change)
    #expect(answer.status == 200, "\(Self.good[index].name): \(answer.body)")
  }

  @Test(arguments: [("com.example.app", 4096), ("com.example.app.voip", 5120)])
  func `the largest payload is that of the push type`(topic: String, limit: Int) throws {
    let gateway = try Gateway()
    let token = String(repeating: "ee", count: 32)
    gateway.register(token, topic: topic)
    for pushType in [nil, topic.hasSuffix("voip") ? "voip" : "alert"] {
      for (count, status) in [(limit, 200), (limit + 1, 413)] {
        let answer = gateway.send {
          $0.setToken(token)
          $0.set("apns-topic", topic)
          $0.set("apns-push-type", pushType)
          $0.body = payload(count)
        }
        #expect(answer.status == status)
      }
    }
  }

  @Test func `a background push with priority 10 is refused where a workspace says so`() throws {
    let gateway = try Gateway()
    func send(_ type: String) -> TestAnswer { gateway.send { $0.set("apns-push-type", type) } }
    #expect(send("background").status == 200)
    gateway.workspaces.default.apns.backgroundPriority = .refuse
    #expect(send("background").reason == "BadPriority")
    #expect(send("background").code == .backgroundPriority)
    #expect(send("alert").status == 200)
  }

  @Test func `a payload that is no JSON object passes where a workspace says so`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.invalidPayload = .accept
    #expect(gateway.send { $0.body = Array("hello".utf8) }.status == 200)
    #expect(gateway.send { $0.body = [] }.reason == "PayloadEmpty")
  }

  @Test func `a broken apns-id is not echoed, an answer has a good one`() throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.set("apns-id", "1") }
    #expect(APNsService.isCanonicalUUID(answer.outcome.apnsID))
    #expect(answer.fields == ["apns-id: " + String(decoding: answer.outcome.apnsID, as: UTF8.self)])
  }
}

/// A JSON object of exactly this many bytes.
func payload(_ count: Int) -> [UInt8] {
  Array((#"{"a":""# + String(repeating: "x", count: count - 8) + #""}"#).utf8)
}
