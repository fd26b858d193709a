import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Provider tokens as connections, clock and settings make them good or bad.
@Suite(.timeLimit(.minutes(5))) struct ProviderTokensEndToEndTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  private func push(
    _ gateway: TestGateway, _ client: HTTPClient, _ authorization: String
  ) async throws -> (status: Int, text: String) {
    let answer = try await client.request(
      gateway.apnsHead(token, authorization: authorization), body: gateway.apnsPayload("Hi"))
    return (answer.head.status, answer.text)
  }

  @Test func `after 61 minutes of the clock a token is expired and its connection wedged`()
    async throws
  {
    try await withGateway { gateway in
      let client = try await gateway.connect()
      let old = try gateway.providerToken()
      #expect(try await push(gateway, client, old).status == 200)
      let clock = try await gateway.call("POST", "/api/v1/clock", body: ["advance": "61m"])
      #expect(clock.status == 200)
      for authorization in [old, try gateway.providerToken()] {
        let answer = try await push(gateway, client, authorization)
        #expect(answer == (403, #"{"reason":"ExpiredProviderToken"}"#))
      }
      let code = try await gateway.lastEnvelope().pointer("/diagnosis/code")
      #expect(code == "connection-wedged")
      let fresh = try await gateway.connect()
      #expect(try await push(gateway, fresh, try gateway.providerToken()).status == 200)
      #expect(try await push(gateway, fresh, old).status == 403)
    }
  }

  @Test func `records and deliveries have the workspace's time`() async throws {
    try await withGateway { gateway in
      let moment = "2031-05-06T07:08:09.000Z"
      let device = try await gateway.makeDevice(["platform": "ios", "online": true])
      _ = try await gateway.call("POST", "/api/v1/clock", body: ["freeze": true])
      let clock = try await gateway.call("POST", "/api/v1/clock", body: ["set": .string(moment)])
      #expect(clock.json["frozen"] == true)
      #expect(try await gateway.push(device.apns).head.status == 200)
      let id = try #require(try await gateway.lastEnvelope()["id"]?.stringValue)
      let envelope = try await gateway.call("GET", "/api/v1/envelopes/\(id)").json
      for pointer in ["/receivedAt", "/answeredAt", "/deliveries/0/at"] {
        #expect(envelope.pointer(pointer)?.stringValue == moment, "\(pointer)")
      }
    }
  }

  @Test func `a second token on a connection is 429 until a setting allows it`() async throws {
    try await withGateway { gateway in
      let client = try await gateway.connect()
      let first = try gateway.providerToken()
      #expect(try await push(gateway, client, first).status == 200)
      let answer = try await push(gateway, client, try gateway.providerToken())
      #expect(answer == (429, #"{"reason":"TooManyProviderTokenUpdates"}"#))
      #expect(try await push(gateway, client, first).status == 200)
      let change = try await gateway.call(
        "PATCH", "/api/v1/workspaces/default", body: ["settings": ["providerTokenUpdates": 1]])
      #expect(change.status == 200)
      #expect(try await push(gateway, client, try gateway.providerToken()).status == 200)
    }
  }

  @Test func `a key that signs for each connection is named in the ledger`() async throws {
    try await withGateway { gateway in
      for _ in 0..<6 { #expect(try await gateway.push(token).head.status == 200) }
      let ledger = try await gateway.call("GET", "/api/v1/connections").json
      let key = gateway.folder.defaults.apnsKey
      #expect(ledger.pointer("/keys/0/keyID")?.stringValue == key.keyID)
      #expect(ledger.pointer("/keys/0/providerTokens") == 6)
      #expect(ledger.pointer("/keys/0/recentConnections") == 6)
      #expect(
        ledger.pointer("/keys/0/diagnosis/code") == "provider-tokens-minted-too-often")
      #expect(ledger.pointer("/items/0/keyID")?.stringValue == key.keyID)
    }
  }

  @Test func `the configuration file's settings hold from the start`() async throws {
    try await withGateway {
      $0.settings = [["apnsTooManyRequests": ["perSecond": 1]]]
    } _: { gateway in
      let client = try await gateway.connect()
      let authorization = try gateway.providerToken()
      let head = gateway.apnsHead(token, authorization: authorization)
      // More than a second may lie between two pushes, but not between any two of many.
      var texts: Set<String> = []
      for _ in 0..<100 where texts.count < 2 {
        texts.insert(try await client.request(head, body: gateway.apnsPayload("Hi")).text)
      }
      #expect(texts == ["", #"{"reason":"TooManyRequests"}"#])
    }
  }

  @Test func `settings of the configuration file that are wrong stop the start`() async throws {
    let error = await #expect(throws: GatewayError.self) {
      try await withGateway {
        $0.settings = [["wegde": "off"]]
      } _: { _ in
      }
    }
    #expect(
      error
        == .configuration(
          "cannot apply the settings of the configuration file: /wegde: "
            + "Unknown setting; the nearest is wedge."))
  }
}
