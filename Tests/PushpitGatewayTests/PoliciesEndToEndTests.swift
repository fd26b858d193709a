import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// The policies that `serve` takes, seen from a sender.
@Suite(.timeLimit(.minutes(5))) struct PoliciesEndToEndTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  @Test func `auth shape takes any key's signature, and keeps every other rule`() async throws {
    try await withGateway {
      $0.policies.authentication = .shape
    } _: { gateway in
      let stranger = try PrivateKey.generateP256().pem
      let provider = try gateway.providerToken(
        key: stranger, keyID: "OTHERKEY12", teamID: "OTHERTEAM1")
      #expect(try await gateway.push(token, authorization: provider).head.status == 200)
      let answer = try await gateway.push(token, authorization: "no.token")
      #expect(answer.text == #"{"reason":"InvalidProviderToken"}"#)
    }
  }

  @Test func `tokens strict refuses what nobody registered`() async throws {
    try await withGateway {
      $0.policies.tokens = .strict
    } _: { gateway in
      let answer = try await gateway.push(token)
      #expect(answer.head.status == 400)
      #expect(answer.text == #"{"reason":"BadDeviceToken"}"#)
      let code = try await gateway.lastEnvelope().pointer("/diagnosis/code")?.stringValue
      #expect(code == "token-unknown")
      let device = try await gateway.makeDevice()
      #expect(try await gateway.push(device.apns).head.status == 200)
    }
  }

  @Test func `a device that the configuration declares has its token`() async throws {
    let token = token
    try await withGateway {
      $0.policies.tokens = .strict
      $0.declaredDevices = [["platform": "ios", "tokens": ["apns": .string(token)]]]
    } _: { gateway in
      let answer = try await gateway.push(token)
      #expect(answer.head.status == 200)
    }
  }
}
