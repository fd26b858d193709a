import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// What FCM passes on to APNs for an iOS app with Firebase, and what it makes of the answer.
@Suite struct MessageRelayTests {
  private static let token = ServiceFixture.androidToken
  private static let deviceToken = String(repeating: "0a1b2c3d", count: 8)
  private static let activityToken = String(repeating: "ab", count: 80)

  let fixture: ServiceFixture
  let record: TokenRecord

  init() throws {
    fixture = try ServiceFixture()
    record = fixture.register(platform: .ios)
  }

  @discardableResult
  private func send(_ members: String = #""data":{"k":"v"}"#, options: String = "") throws
    -> PushOutcome
  {
    try fixture.send(#"{\#(options)"message":{"token":"\#(Self.token)",\#(members)}}"#)
  }

  private func refuse(_ status: Int, _ reason: String) {
    fixture.apns.refusal = APNsRelay.Refusal(
      status: status, reason: reason, diagnosis: Diagnosis(.tokenUnknown, what: "w", fix: "f"))
  }

  private func headers(_ members: String = #""data":{"k":"v"}"#) throws -> [String: String] {
    try send(members)
    let request = try #require(fixture.apns.requests.last)
    return Dictionary(
      request.head.fields.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + "," + $1 })
  }

  private func payload(_ members: String) throws -> JSONValue {
    let outcome = try send(members)
    let request = try #require(fixture.apns.requests.last)
    #expect(outcome.deviceMessage == request.body)
    var object = try #require(try JSONReader.parse(request.body).objectValue)
    for key in ["gcm.message_id", "google.c.a.e", "google.c.fid", "google.c.sender.id"] {
      #expect(object[key] != nil, "\(key)")
      object[key] = nil
    }
    return .object(object)
  }

  // MARK: The push

  @Test func `a message is a push to the device's token, with the bundle ID as topic`() throws {
    let outcome = try send(#""notification":{"title":"T"}"#)
    let request = try #require(fixture.apns.requests.first)
    #expect(String(decoding: request.head.target, as: UTF8.self) == "/3/device/" + Self.deviceToken)
    #expect(request.environment == .production)
    #expect(
      request.head.fields.pairs.map { "\($0.name): \($0.value)" } == [
        "apns-topic: com.example.app", "apns-push-type: alert", "apns-priority: 10",
        "apns-expiration: \(fixture.time.now.seconds + 30 * 86_400)",
      ])
    #expect(outcome.isAccepted)
    #expect(outcome.recipient === record)
    #expect(outcome.environment == .production)
    #expect(outcome.app == "com.example.app")
  }

  @Test func `the headers of the message take the places of FCM's own, whatever their case`() throws
  {
    let headers = try headers(
      #""apns":{"headers":{"Apns-Priority":"5","apns-collapse-id":"c","apns-expiration":"1790000100","#
        + #""apns-topic":"com.example.other"},"payload":{"aps":{"alert":"x"}}}"#)
    #expect(
      headers == [
        "apns-topic": "com.example.other", "apns-push-type": "alert", "apns-priority": "5",
        "apns-collapse-id": "c", "apns-expiration": "1790000100",
      ])
    let outcome = try send(
      #""apns":{"headers":{"apns-collapse-id":"c","apns-expiration":"1790000100"}}"#)
    #expect(outcome.collapse.elementsEqual("c".utf8))
    #expect(outcome.expiration == 1_790_000_100)
  }

  @Test func `no header but APNs' own reaches it`() throws {
    let headers = try headers(#""apns":{"headers":{"authorization":"bearer x","ttl":"1"}}"#)
    #expect(headers.keys.sorted().allSatisfy { $0.hasPrefix("apns-") })
  }

  @Test(arguments: [
    (#""data":{"k":"v"}"#, "background", "5"),
    (#""apns":{"payload":{"aps":{"content-available":1}}}"#, "background", "5"),
    (#""apns":{"payload":{"aps":{"badge":1}}}"#, "alert", "10"),
    (#""apns":{"payload":{"aps":{"sound":"default"}}}"#, "alert", "10"),
    (#""notification":{"body":"b"}"#, "alert", "10"),
  ])
  func `without a header the push type is what there is to show`(
    _ members: String, _ type: String, _ priority: String
  ) throws {
    let headers = try headers(members)
    #expect(headers["apns-push-type"] == type)
    #expect(headers["apns-priority"] == priority)
  }

  @Test(arguments: [
    (
      #""notification":{"title":"T","body":"B"},"data":{"k":"v"}"#,
      #"{"aps":{"alert":{"title":"T","body":"B"}},"k":"v"}"#
    ),
    // Google: the payload overrides title and body.
    (
      #""notification":{"title":"T"},"apns":{"payload":{"aps":{"alert":{"body":"own"},"badge":2}}}"#,
      #"{"aps":{"alert":{"body":"own"},"badge":2}}"#
    ),
    (
      #""notification":{"title":"T"},"apns":{"payload":{"aps":{"badge":2},"x":{"y":[1]}}}"#,
      #"{"aps":{"badge":2,"alert":{"title":"T"}},"x":{"y":[1]}}"#
    ),
    (
      #""data":{"k":"data","l":"2"},"apns":{"payload":{"k":"payload"}}"#,
      #"{"k":"payload","l":"2"}"#
    ),
    (#""data":{"k":"v"},"android":{"data":{"k":"android"}}"#, #"{"k":"v"}"#),
    (
      #""notification":{"body":"B","image":"https://a/b.png"}"#,
      #"{"aps":{"alert":{"body":"B"}},"fcm_options":{"image":"https://a/b.png"}}"#
    ),
    (
      #""notification":{"image":"https://a/b.png"},"apns":{"fcmOptions":{"image":"https://c/d.png"}}"#,
      #"{"fcm_options":{"image":"https://c/d.png"}}"#
    ),
  ])
  func
    `the payload is data at the root, the notification as alert, and the message's own over both`(
      _ members: String, _ expected: String
    ) throws
  {
    #expect(try payload(members) == JSONReader.parse(Array(expected.utf8)))
  }

  @Test func `FCM adds its own keys, as apps' logs show`() throws {
    try send()
    let payload = try JSONReader.parse(try #require(fixture.apns.requests.first).body)
    let name = try #require(fixture.json?["name"]?.stringValue)
    #expect(name.hasSuffix("/" + (payload["gcm.message_id"]?.stringValue ?? "-")))
    #expect(payload["google.c.a.e"] == "1")
    #expect(payload["google.c.fid"] == "cAPs7kQ9R0m")
    #expect(payload["google.c.sender.id"] == "123456789012")
  }

  // MARK: Live Activities

  @Test func `a Live Activity's token takes the place of the device's`() throws {
    let members = #""apns":{"live_activity_token":"\#(Self.activityToken)","#
    let outcome = try send(members + #""payload":{"aps":{"event":"update"}}}"#)
    let request = try #require(fixture.apns.requests.first)
    #expect(String(decoding: request.head.target, as: UTF8.self).hasSuffix(Self.activityToken))
    #expect(request.head.fields.text("apns-topic") == "com.example.app.push-type.liveactivity")
    #expect(request.head.fields.text("apns-push-type") == "liveactivity")
    #expect(outcome.recipient === fixture.apns.recipient)
  }

  @Test func `an empty token of a Live Activity is none`() throws {
    let outcome = try send(#""apns":{"liveActivityToken":""},"data":{"k":"v"}"#)
    #expect(outcome.recipient === record)
  }

  // MARK: What APNs answers

  private static func body(
    _ status: Int, _ name: String, _ message: String, _ code: String, _ apns: (Int, String)
  ) -> String {
    """
    {
      "error": {
        "code": \(status),
        "message": "\(message)",
        "status": "\(name)",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "\(code)"
          },
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
            "statusCode": \(apns.0),
            "reason": "\(apns.1)"
          }
        ]
      }
    }

    """
  }

  private static let missing =
    "Request is missing required authentication credential. Expected OAuth 2 access token, login "
    + "cookie or other valid authentication credential. See "
    + "https://developers.google.com/identity/sign-in/web/devconsole-project."

  @Test func `a dead device token is UNREGISTERED with APNs' answer, seen in the wild`() throws {
    refuse(410, "Unregistered")
    let outcome = try send()
    #expect(
      fixture.text
        == Self.body(
          404, "NOT_FOUND", "Requested entity was not found.", "UNREGISTERED",
          (410, "Unregistered")))
    #expect(outcome.reason == "UNREGISTERED")
    #expect(outcome.diagnosis?.code == .tokenUnknown)
    #expect(outcome.recipient == nil && outcome.deviceMessage.isEmpty)
  }

  @Test func `a dead token of a Live Activity is an invalid argument, seen in the wild`() throws {
    refuse(410, "Unregistered")
    try send(#""apns":{"live_activity_token":"\#(Self.activityToken)"}"#)
    #expect(
      fixture.text
        == Self.body(
          400, "INVALID_ARGUMENT", "APNs device token is disabled.", "INVALID_ARGUMENT",
          (410, "Unregistered")))
  }

  @Test(arguments: [
    (Policies.Wire.observed, missing, "InvalidProviderToken"),
    (.observed, missing, "BadEnvironmentKeyInToken"),
    (.documented, "Auth error from APNS or Web Push Service", "InvalidProviderToken"),
  ])
  func `a key that APNs does not take is THIRD_PARTY_AUTH_ERROR, seen in the wild`(
    _ wire: Policies.Wire, _ message: String, _ reason: String
  ) throws {
    fixture.workspaces.default.policies.wire = wire
    refuse(403, reason)
    let outcome = try send()
    #expect(
      fixture.text
        == Self.body(401, "UNAUTHENTICATED", message, "THIRD_PARTY_AUTH_ERROR", (403, reason)))
    #expect(outcome.reason == "THIRD_PARTY_AUTH_ERROR")
  }

  /// Only Google's codes are documented for these.
  @Test(arguments: [
    (400, "DeviceTokenNotForTopic", 400, "INVALID_ARGUMENT"),
    (413, "PayloadTooLarge", 400, "INVALID_ARGUMENT"),
    (429, "TooManyRequests", 429, "QUOTA_EXCEEDED"),
    (500, "InternalServerError", 503, "UNAVAILABLE"),
    (503, "Shutdown", 503, "UNAVAILABLE"),
  ])
  func `what else APNs refuses has the code that Google documents`(
    _ status: Int, _ reason: String, _ answered: Int, _ code: String
  ) throws {
    refuse(status, reason)
    let outcome = try send()
    #expect(fixture.head.status == answered)
    #expect(outcome.reason == code)
  }

  @Test func `validation does not ask APNs, seen in the wild`() throws {
    refuse(403, "InvalidProviderToken")
    #expect(try send(options: #""validate_only":true,"#).isAccepted)
    #expect(fixture.apns.requests.isEmpty)
  }

  @Test(arguments: [Platform.android, .web])
  func `no other platform is passed on`(_ platform: Platform) throws {
    fixture.register(platform: platform)
    refuse(403, "InvalidProviderToken")
    #expect(try send().isAccepted)
    #expect(fixture.apns.requests.isEmpty)
  }
}
