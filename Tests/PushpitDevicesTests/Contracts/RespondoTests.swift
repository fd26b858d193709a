import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// The contract of the Respondo SDK, sentence by sentence, as its documentation of pushes says it.
@Suite struct RespondoTests {
  private static let message =
    #""type":"message","conversation_id":"c-1","message_id":"m-1","#
    + #""deep_link":"respondo://conversation/c-1""#

  /// What an iOS app is handed: an object beside `aps`.
  private func ios(
    _ content: String, alert: String = #"{"title":"T","body":"B"}"#,
    _ settings: ContractSettings = ContractSettings()
  ) throws -> ContractReading? {
    ConfiguredContract.respondo.read(
      ClientPayload(userInfo: try json(#"{"aps":{"alert":\#(alert)},"respondo":\#(content)}"#)),
      settings)
  }

  /// What an Android app is handed: a JSON string in the data map.
  private func android(
    _ content: String, notification: String = #"{"title":"T","body":"B"}"#,
    _ settings: ContractSettings = ContractSettings()
  ) throws -> ContractReading? {
    let data: JSONValue = ["respondo": .string(content)]
    return ConfiguredContract.respondo.read(
      ClientPayload(
        effectiveMessage: ["notification": try json(notification), "data": data],
        platform: .android), settings)
  }

  /// The same content on both platforms.
  private func both(
    _ content: String, _ settings: ContractSettings = ContractSettings()
  ) throws -> [ContractReading] {
    [try #require(try ios(content, settings)), try #require(try android(content, settings))]
  }

  // MARK: Whose it is

  @Test func `a payload without the root key is not the SDK's`() throws {
    let contract = ConfiguredContract.respondo
    let payloads = [
      ClientPayload(userInfo: try json(#"{"aps":{"alert":"A"},"other":{"respondo":1}}"#)),
      ClientPayload(userInfo: .null),
      ClientPayload(effectiveMessage: try json(#"{"data":{"k":"v"}}"#), platform: .android),
      ClientPayload(effectiveMessage: [:], platform: .web),
    ]
    #expect(payloads.allSatisfy { contract.read($0, ContractSettings()) == nil })
  }

  @Test func `the three shapes that clients hand over are read`() throws {
    let object = try json("{\(Self.message)}")
    let string = JSONValue.string("{\(Self.message)}")
    for payload in [
      ClientPayload(dataMap: ["respondo": string]),
      ClientPayload(userInfo: ["aps": ["alert": "A"], "respondo": object]),
      ClientPayload(flutterData: ["respondo": string], platform: .android),
      ClientPayload(flutterData: ["respondo": object], platform: .ios),
    ] {
      let reading = try #require(ConfiguredContract.respondo.read(payload, ContractSettings()))
      #expect(reading.breaches.isEmpty)
      #expect(reading.messageID == "m-1")
    }
  }

  // MARK: Messages

  @Test func `a message has its conversation, its id and its link`() throws {
    for reading in try both("{\(Self.message)}") {
      #expect(reading.breaches.isEmpty)
      #expect(reading.messageID == "m-1")
      #expect(reading.conversation == "c-1")
      #expect(reading.deepLink == "respondo://conversation/c-1")
      #expect(reading.opensConversation == "c-1")
      #expect(reading.deliveryID == nil)
    }
  }

  @Test(arguments: ["type", "conversation_id", "message_id", "deep_link"])
  func `a message without one of its keys is a breach`(_ key: String) throws {
    let members = Self.message.split(separator: ",").filter { !$0.hasPrefix("\"\(key)\"") }
    for reading in try both("{\(members.joined(separator: ","))}") {
      let breach = try #require(reading.breaches.first)
      #expect(reading.breaches.count == 1)
      #expect(breach.code == "contract-key-missing")
      #expect(breach.expected.contains(key))
      #expect(breach.found == "no \(key)")
      #expect(reading.messageID == (key == "message_id" ? nil : "m-1"))
    }
  }

  @Test func `an empty id is none`() throws {
    let content = Self.message.replacing(#""m-1""#, with: #""""#)
    for reading in try both("{\(content)}") {
      #expect(reading.breaches.map(\.code) == ["contract-key-missing"])
      #expect(reading.breaches.first?.found == "an empty message_id")
      #expect(reading.messageID == nil)
    }
  }

  @Test(
    arguments: [
      ("respondo://conversation/c-2", "c-2"), ("https://example.com/c-1", nil),
      ("respondo://conversation/", nil), ("RESPONDO://conversation/c-1", nil),
    ] as [(String, String?)])
  func `a message whose link is not that of its conversation is a breach, and opens what it says`(
    _ link: String, _ opened: String?
  ) throws {
    let content = Self.message.replacing("respondo://conversation/c-1", with: link)
    for reading in try both("{\(content)}") {
      let breach = try #require(reading.breaches.first)
      #expect(breach.code == "contract-wrong-deep-link")
      #expect(breach.expected == "respondo://conversation/c-1")
      #expect(breach.found == link)
      #expect(reading.deepLink == link)
      #expect(reading.opensConversation == opened)
    }
  }

  @Test func `an unknown key is a breach of messages, and none of campaigns`() throws {
    for reading in try both("{\(Self.message),\"utm\":\"x\"}") {
      #expect(reading.breaches.map(\.code) == ["contract-key-unknown"])
      #expect(reading.breaches.first?.found == "utm")
    }
    for reading in try both(#"{"delivery_id":"d-1","utm":"x"}"#) {
      #expect(reading.breaches.isEmpty)
    }
  }

  @Test func `another type than message is a breach of messages`() throws {
    let content = Self.message.replacing(#""type":"message""#, with: #""type":"note""#)
    for reading in try both("{\(content)}") {
      #expect(reading.breaches.map(\.code) == ["contract-wrong-type"])
      #expect(reading.breaches.first?.expected == "message")
      #expect(reading.breaches.first?.found == "note")
    }
  }

  // MARK: Campaigns

  @Test(
    arguments: [
      (nil, nil), ("https://example.com/sale", nil), ("respondo://conversation/c-9", "c-9"),
    ] as [(String?, String?)])
  func `a payload with a delivery_id is a campaign, whose link may be any or none`(
    _ link: String?, _ opened: String?
  ) throws {
    let more = link.map { #","deep_link":"\#($0)""# } ?? ""
    for reading in try both(#"{"type":"campaign","delivery_id":"d-1"\#(more)}"#) {
      #expect(reading.breaches.isEmpty)
      #expect(reading.deliveryID == "d-1")
      #expect(reading.deepLink == link)
      #expect(reading.opensConversation == opened)
      #expect(reading.messageID == nil)
    }
  }

  @Test func `the type of campaigns is a setting`() throws {
    let content = #"{"type":"promo","delivery_id":"d-1"}"#
    #expect(try both(content).allSatisfy { $0.breaches.isEmpty })
    for reading in try both(content, ContractSettings(campaignType: "campaign")) {
      #expect(reading.breaches.map(\.code) == ["contract-wrong-type"])
    }
    #expect(
      try both(content, ContractSettings(campaignType: "promo")).allSatisfy(\.breaches.isEmpty))
    for reading in try both(
      #"{"delivery_id":"d-1"}"#, ContractSettings(campaignType: "campaign"))
    {
      #expect(reading.breaches.map(\.code) == ["contract-key-missing"])
    }
  }

  // MARK: Values and forms

  @Test(arguments: [
    (#"{"a":{"b":"c"}}"#, "an object"), ("[]", "an array"), ("1", "the number 1"),
    ("true", "the boolean true"), ("null", "null"),
  ])
  func `a value that is no flat string is a breach`(_ value: String, _ found: String) throws {
    for reading in try both(#"{"delivery_id":"d-1","x":\#(value)}"#) {
      let breach = try #require(reading.breaches.first)
      #expect(reading.breaches.count == 1)
      #expect(breach.code == "contract-value-not-string")
      #expect(breach.expected == "a string")
      #expect(breach.found == found)
      #expect(breach.text.contains("x is none"))
    }
  }

  @Test(arguments: ["title", "body"])
  func `title and body inside the content are breaches`(_ key: String) throws {
    for content in [
      "{\(Self.message),\"\(key)\":\"x\"}", "{\"delivery_id\":\"d\",\"\(key)\":\"x\"}",
    ] {
      for reading in try both(content) {
        #expect(reading.breaches.map(\.code) == ["contract-alert-inside"])
        #expect(reading.breaches.first?.found == key)
      }
    }
  }

  @Test func `a string on iOS is a breach, and cannot be read`() throws {
    let reading = try #require(try ios(#""{\"delivery_id\":\"d-1\"}""#))
    #expect(reading.breaches.map(\.code) == ["contract-wrong-form"])
    #expect(reading.breaches.first?.expected == "an object")
    #expect(reading.breaches.first?.found == "a string")
    #expect(reading.deliveryID == nil)
  }

  @Test func `an object on Android is a breach, and cannot be read`() throws {
    let payload = ClientPayload(dataMap: ["respondo": try json("{\(Self.message)}")])
    let reading = try #require(ConfiguredContract.respondo.read(payload, ContractSettings()))
    #expect(reading.breaches.map(\.code) == ["contract-wrong-form"])
    #expect(reading.breaches.first?.expected == "an object as a JSON string")
    #expect(reading.messageID == nil)
  }

  @Test(arguments: ["not json", "[1]", "\"x\"", "", "{"])
  func `a string that is no object in JSON is a breach`(_ content: String) throws {
    let reading = try #require(try android(content))
    #expect(reading.breaches.map(\.code) == ["contract-not-json"])
  }

  @Test func `nothing to show by the transport is a breach`() throws {
    let readings = [
      try #require(try ios("{\(Self.message)}", alert: "{}")),
      try #require(try ios("{\(Self.message)}", alert: #""""#)),
      try #require(try android("{\(Self.message)}", notification: "{}")),
      try #require(try android("{\(Self.message)}", notification: #"{"icon":"i"}"#)),
    ]
    for reading in readings {
      #expect(reading.breaches.map(\.code) == ["contract-no-alert"])
      #expect(reading.messageID == "m-1")
    }
    #expect(try ios("{\(Self.message)}", alert: #""Hello""#)?.breaches.isEmpty == true)
    #expect(try ios("{\(Self.message)}", alert: #"{"loc-key":"K"}"#)?.breaches.isEmpty == true)
  }

  @Test(arguments: [
    "Your order has shipped", "¿Dónde está mi pedido?", "Où en est ma commande ?",
    "Zoë heeft één bericht voor u", "Новое сообщение от поддержки",
  ])
  func `values of any language are kept as they are`(_ text: String) throws {
    for reading in try both(#"{"delivery_id":"\#(text)"}"#) {
      #expect(reading.breaches.isEmpty)
      #expect(reading.deliveryID == text)
    }
  }

  @Test func `a long value is cut in the warning, and warnings have a limit`() throws {
    let long = String(repeating: "x", count: 1000)
    let members = (0..<200).map { "\"k\($0)\":1" }.joined(separator: ",")
    for reading in try both("{\(Self.message),\"deep\":\"\(long)\",\(members)}") {
      #expect(reading.breaches.count == 50)
    }
    let reading = try #require(try android(long))
    #expect(reading.breaches.first?.found == String(repeating: "x", count: 80) + "...")
  }
}
