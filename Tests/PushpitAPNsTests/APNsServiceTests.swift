import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsServiceTests {
  @Test func `a good push is 200 with its apns-id and, in the sandbox, a unique id`() throws {
    let gateway = try Gateway()
    let answer = gateway.send(gateway.validPush)
    #expect(answer.status == 200)
    #expect(answer.fields.count == 2)
    #expect(answer.fields[0] == "apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77")
    let unique = try #require(answer.fields[1].wholeMatch(of: /apns-unique-id: ([0-9a-f-]{36})/))
    #expect(APNsService.isCanonicalUUID(Array(String(unique.1).utf8)[...]))
    #expect(answer.body.isEmpty)
  }

  @Test func `in production there is no unique id, which is for development only`() throws {
    let gateway = try Gateway()
    let token = String(repeating: "ff", count: 32)
    gateway.register(token, environment: .production)
    let answer = gateway.send {
      $0.environment = .production
      $0.setToken(token)
    }
    #expect(answer.fields == ["apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77"])
    #expect(answer.body.isEmpty)
  }

  @Test func `the outcome of a good push says all that a record needs`() throws {
    let gateway = try Gateway()
    let outcome = gateway.send(gateway.validPush).outcome
    #expect(outcome.isAccepted)
    #expect(outcome.service == .apns)
    #expect(outcome.workspace == .default)
    #expect(outcome.environment == .sandbox)
    #expect(outcome.token.elementsEqual(Gateway.deviceToken.utf8))
    #expect(outcome.tokenKind == .apns)
    #expect(outcome.topic.elementsEqual(Gateway.topic.utf8))
    #expect(outcome.pushType.elementsEqual("alert".utf8))
    #expect(outcome.priority == 10)
    #expect(outcome.expiration == 0)
    #expect(outcome.collapse.elementsEqual("chat-7".utf8))
    #expect(outcome.apnsID.elementsEqual("0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77".utf8))
    #expect(outcome.app == Gateway.topic)
    #expect(outcome.recipient?.device == DeviceID("d-0a1b2c3d"))
    #expect(outcome.credential?.keyID == Gateway.keyID)
    #expect(outcome.credential?.teamID == Gateway.teamID)
    #expect(outcome.diagnosis == nil)
    #expect(outcome.warnings.isEmpty)
  }

  @Test func `a refusal keeps what the request said, and has no recipient`() throws {
    let gateway = try Gateway()
    let outcome = gateway.send { $0.set("apns-priority", "7") }.outcome
    #expect(!outcome.isAccepted)
    #expect(outcome.status == 400)
    #expect(outcome.reason == "BadPriority")
    #expect(outcome.priority == 7)
    #expect(outcome.topic.elementsEqual(Gateway.topic.utf8))
    #expect(outcome.recipient == nil)
  }

  // aioapns finds its waiting call by these bytes, so case must survive.
  @Test(arguments: [
    "0B5C2A1E-5F0A-4B7E-9D53-2F6A0D8C1E77", "0b5c2a1e-5F0A-4b7e-9d53-2f6a0d8c1e77",
  ])
  func `an apns-id comes back byte for byte, on success and on refusal`(id: String) throws {
    let gateway = try Gateway()
    let good = gateway.send { $0.set("apns-id", id) }
    let bad = gateway.send {
      $0.set("apns-id", id)
      $0.body = []
    }
    #expect(good.fields.first == "apns-id: " + id)
    #expect(bad.fields == ["apns-id: " + id])
  }

  @Test func `a generated apns-id is in upper case, as captured from 2018 to 2026`() throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.set("apns-id", nil) }
    let id = String(decoding: answer.outcome.apnsID, as: UTF8.self)
    #expect(answer.fields.first == "apns-id: " + id)
    #expect(id.wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil)
    #expect(gateway.send { $0.set("apns-id", nil) }.fields.first != answer.fields.first)
  }

  @Test func `the documented wire generates an apns-id in lower case`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.wire = .documented
    let id = gateway.send { $0.set("apns-id", nil) }.outcome.apnsID
    #expect(
      String(decoding: id, as: UTF8.self)
        .wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
  }

  @Test func `an error has apns-id alone and a compact body, observed 2018 and 2026`() throws {
    let gateway = try Gateway()
    let answer = gateway.send { $0.setToken("zz") }
    #expect(answer.status == 400)
    #expect(answer.fields == ["apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77"])
    #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
    #expect(answer.body.utf8.count == 27)
  }

  @Test func `the documented wire adds a content type to errors only`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.policies.wire = .documented
    #expect(
      gateway.send { $0.body = [] }.fields == [
        "apns-id: 0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77", "content-type: application/json",
      ])
    #expect(gateway.send(gateway.validPush).fields.count == 2)
  }

  @Test func `410 has its timestamp in milliseconds as an integer`() throws {
    let gateway = try Gateway()
    let record = gateway.register(String(repeating: "dd", count: 32))
    record.state = .unregistered(since: Timestamp(milliseconds: 1_454_948_015_990))
    let answer = gateway.send { $0.setToken(String(repeating: "dd", count: 32)) }
    #expect(answer.status == 410)
    #expect(answer.body == #"{"reason":"Unregistered","timestamp":1454948015990}"#)
  }

  @Test func `field names count in any case, as HTTP/1.1 may send them`() throws {
    let gateway = try Gateway()
    let answer = gateway.send { push in
      push.fields = push.fields.map { ($0.name.uppercased(), $0.value) }
    }
    #expect(answer.status == 200)
    #expect(answer.outcome.topic.elementsEqual(Gateway.topic.utf8))
  }

  @Test func `a thousand pushes verify one signature`() throws {
    let gateway = try Gateway()
    let request = gateway.validPush.request
    for _ in 0..<1000 { #expect(gateway.send(request).status == 200) }
    gateway.connection = APNsConnectionState()
    #expect(gateway.send(request).status == 200)
    #expect(gateway.service.verificationCount == 1)
  }

  @Test func `an accepted push hands out slices of the request, not copies`() throws {
    let gateway = try Gateway()
    let request = gateway.validPush.request
    let outcome = gateway.send(request).outcome
    let fields = address(request.head.fields.bytes[...])
    let range = fields..<(fields + UInt(request.head.fields.bytes.count))
    #expect(range.contains(address(outcome.topic)))
    #expect(range.contains(address(outcome.pushType)))
    #expect(range.contains(address(outcome.collapse)))
    #expect(range.contains(address(outcome.apnsID)))
    let token = address(request.head.target[...])
    #expect(address(outcome.token) == token + 10)
  }

  private func address(_ bytes: ArraySlice<UInt8>) -> UInt {
    bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }
}
