import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct FCMServiceTests {
  private static func digits(_ text: Substring, _ count: Int) -> Bool {
    text.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  @Test func `a send to Android is answered with its name and Google's header fields`() throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let outcome = try fixture.send()
    let name = String(decoding: outcome.messageName, as: UTF8.self)
    #expect(fixture.text == "{\n  \"name\": \"\(name)\"\n}\n")
    // 0:, 16 digits of microseconds, a literal percent sign, 16 hexadecimal digits (captured).
    let id = try #require(name.split(separator: "/").last)
    #expect(name.hasPrefix("projects/demo/messages/0:"))
    #expect(Self.digits(id.dropFirst(2).prefix(16), 16))
    #expect(id.dropFirst(18).first == "%")
    #expect(id.count == 2 + 16 + 1 + 16)
    #expect(
      fixture.head.fields.pairs.map { "\($0.name): \($0.value)" } == [
        "content-type: application/json; charset=UTF-8", "vary: Origin, X-Origin, Referer",
        "server: ESF", "x-xss-protection: 0", "x-frame-options: SAMEORIGIN",
        "x-content-type-options: nosniff", "cache-control: private",
      ])
    #expect(outcome.service == .fcm)
    #expect(outcome.status == 200)
    #expect(outcome.project.elementsEqual("demo".utf8))
    #expect(outcome.credential?.kind == .accessToken)
  }

  @Test(arguments: [Platform.ios, .web])
  func `other platforms' messages are called by 16 digits, captured`(_ platform: Platform) throws {
    let fixture = try ServiceFixture()
    fixture.register(platform: platform)
    try fixture.send()
    let id = try #require(fixture.json?["name"]?.stringValue?.split(separator: "/").last)
    #expect(Self.digits(id, 16))
  }

  @Test(arguments: [#""topic":"news""#, #""condition":"'a' in topics""#])
  func `a topic's message is called by 19 digits, validated or sent, captured`(
    _ target: String
  ) throws {
    let fixture = try ServiceFixture()
    for isValidation in [false, true] {
      let outcome = try fixture.send(
        #"{"validate_only":\#(isValidation),"message":{\#(target)}}"#)
      let id = try #require(fixture.json?["name"]?.stringValue?.split(separator: "/").last)
      #expect(Self.digits(id, 19))
      #expect((outcome.fanOut != nil) == !isValidation)
      #expect(!outcome.topic.isEmpty)
      #expect(outcome.recipient == nil)
      #expect(outcome.deviceMessage.isEmpty == isValidation)
    }
  }

  @Test func `a validated send to a token has a fake name and reaches nobody, captured`() throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let outcome = try fixture.send(
      #"{"validateOnly":true,"message":{"token":"\#(ServiceFixture.androidToken)"}}"#)
    #expect(fixture.text == "{\n  \"name\": \"projects/demo/messages/fake_message_id\"\n}\n")
    #expect(outcome.recipient == nil)
    #expect(outcome.deviceMessage.isEmpty)
  }

  @Test func `no two messages of one moment have the same name`() throws {
    let fixture = try ServiceFixture()
    fixture.register(platform: .ios)
    let bearer = try fixture.accessToken()
    let names = try (0..<1500).map { _ in
      try fixture.send(bearer: bearer)
      return fixture.text
    }
    #expect(Set(names).count == names.count)
  }

  @Test func `an Android device gets its own configuration laid over the common fields`() throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let outcome = try fixture.send(
      """
      {"message":{"token":"\(ServiceFixture.androidToken)","notification":{"title":"a","body":"b"},
      "data":{"k":"1","l":"2"},"android":{"collapseKey":"c","ttl":"90.9s","data":{"k":"3"},
      "notification":{"title":"z","channelId":"n"}},"apns":{"payload":{"aps":{}}}}}
      """)
    #expect(
      String(decoding: outcome.deviceMessage, as: UTF8.self)
        == #"{"notification":{"title":"z","body":"b","channel_id":"n"},"data":{"k":"3"}}"#)
    #expect(outcome.collapse.elementsEqual("c".utf8))
    #expect(outcome.timeToLive == .seconds(90))
  }

  // Google, "Non-collapsible and collapsible messages".
  @Test(arguments: [
    (#""notification":{"title":"a"}"#, true), (#""data":{"k":"v"}"#, false),
    (#""notification":{"title":"a"},"data":{"k":"v"}"#, true),
    (#""android":{"notification":{"title":"a"}}"#, true),
    (#""notification":{"title":"a"},"android":{"collapseKey":"c"}"#, false),
  ])
  func `a notification without a collapse key collapses by its app`(
    _ content: String, _ expected: Bool
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let token = ServiceFixture.androidToken
    let one = try fixture.send(#"{"message":{"token":"\#(token)",\#(content)}}"#)
    #expect(one.collapsesByApp == expected)
    let many = try #require(
      try fixture.send(#"{"message":{"topic":"news",\#(content)}}"#).fanOut)
    #expect(try many.message(for: fixture.register()).collapsesByApp == expected)
    #expect(try many.message(for: fixture.register(platform: .web)).collapsesByApp == false)
  }

  @Test func `a browser gets its own configuration laid over the common fields`() throws {
    let fixture = try ServiceFixture()
    fixture.register(platform: .web)
    let outcome = try fixture.send(
      """
      {"message":{"token":"\(ServiceFixture.androidToken)","notification":{"title":"a"},
      "webpush":{"headers":{"TTL":"60"},"notification":{"requireInteraction":true}}}}
      """)
    #expect(
      String(decoding: outcome.deviceMessage, as: UTF8.self)
        == #"{"notification":{"title":"a","requireInteraction":true}}"#)
    #expect(outcome.timeToLive == .seconds(60))
  }

  @Test(arguments: [("POST", "/batch"), ("GET", "/v1/projects/demo/messages:send"), ("POST", "/")])
  func `a path or verb of no endpoint is Google's page, never 405`(
    _ method: String, _ path: String
  ) throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request(method, path)
    #expect(fixture.head.status == 404)
    #expect(fixture.head.fields.text("content-type") == "text/html; charset=UTF-8")
    // firebase-admin-python#854 and firebase-admin-dotnet#464.
    #expect(
      fixture.text.hasPrefix(
        """
        <!DOCTYPE html>
        <html lang=en>
          <meta charset=utf-8>
          <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
          <title>Error 404 (Not Found)!!1</title>
        """))
    #expect(
      fixture.text.contains(
        "The requested URL <code>\(path)</code> was not found on this server.  "
          + "<ins>That’s all we know.</ins>"))
    #expect(!outcome.isAccepted)
    #expect(outcome.diagnosis?.code == .pathOfNoEndpoint)
  }

  @Test func `the page escapes the path`() throws {
    let fixture = try ServiceFixture()
    fixture.request("GET", "/<script>&\"'?x=1")
    #expect(fixture.text.contains("<code>/&lt;script&gt;&amp;&quot;&#39;</code>"))
  }

  @Test func `the diagnosis of a path of no endpoint names the nearest one`() throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request("POST", "/v1/projects/demo/message:send")
    #expect(
      outcome.diagnosis?.fix
        == "send to the nearest endpoint, POST /v1/projects/{project}/messages:send; keep the token, "
        + "only a 404 with the error code UNREGISTERED is about it")
  }

  @Test func `the legacy endpoint says that it is deprecated, reported in 2024`() throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request(
      "POST", "/fcm/send", fields: ["authorization": "key=x"], body: "{}")
    #expect(fixture.head.status == 404)
    #expect(
      fixture.text
        == #"{"error":"Deprecated endpoint, see https://firebase.google.com/docs/cloud-messaging/migrate-v1"}"#
    )
    #expect(outcome.service == .fcm)
    #expect(!outcome.isAccepted)
    #expect(outcome.diagnosis?.code.rawValue == "legacy-endpoint")
  }

  @Test func `a body over the listener's limit is Google's page 413`() throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request("POST", "/v1/projects/demo/messages:send", isBodyCut: true)
    #expect(fixture.head.status == 413)
    #expect(fixture.text.contains("<title>Error 413 (Request Entity Too Large)!!1</title>"))
    #expect(outcome.service == .fcm)
    #expect(!outcome.isAccepted)
  }
}
