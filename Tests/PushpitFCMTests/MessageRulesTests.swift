import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct MessageRulesTests {
  private static let token = ServiceFixture.androidToken

  @Test func `no target is answered as captured on 2026-07-09: BadRequest, then FcmError`() throws {
    let fixture = try ServiceFixture()
    for body in ["{}", "", #"{"message":{}}"#, #"{"message":{"token":""}}"#] {
      let outcome = try fixture.send(body)
      #expect(
        fixture.text == """
          {
            "error": {
              "code": 400,
              "message": "Recipient of the message is not set.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.rpc.BadRequest",
                  "fieldViolations": [
                    {
                      "field": "message",
                      "description": "Recipient of the message is not set."
                    }
                  ]
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "INVALID_ARGUMENT"
                }
              ]
            }
          }

          """)
      #expect(outcome.reason == "INVALID_ARGUMENT")
      #expect(outcome.diagnosis?.code.rawValue == "target-missing")
    }
  }

  /// Captured on 2026-07-09: FcmError, then BadRequest.
  private static let tokenInvalid = """
    {
      "error": {
        "code": 400,
        "message": "The registration token is not a valid FCM registration token",
        "status": "INVALID_ARGUMENT",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT"
          },
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [
              {
                "field": "message.token",
                "description": "The registration token is not a valid FCM registration token"
              }
            ]
          }
        ]
      }
    }

    """

  @Test(arguments: [
    ("nonsense", "token-malformed"),
    (String(repeating: "0aF1", count: 16), "apns-token-at-fcm"),
    (String(repeating: "ab", count: 80), "apns-token-at-fcm"),
    ("cAPs7kQ9R0m%3A" + String(repeating: "x", count: 140), "token-malformed"),
    ("cAPs7kQ9R0m:short", "token-malformed"),
  ])
  func `a token of a wrong form is answered as captured on 2026-07-09, and told apart`(
    _ token: String, _ code: String
  ) throws {
    let fixture = try ServiceFixture()
    for option in ["", #""validate_only":true,"#] {
      let outcome = try fixture.send(#"{\#(option)"message":{"token":"\#(token)"}}"#)
      #expect(fixture.text == Self.tokenInvalid)
      #expect(fixture.head.status == 400)
      #expect(outcome.diagnosis?.code.rawValue == code)
      #expect(outcome.token.elementsEqual(token.utf8))
      #expect(outcome.recipient == nil)
    }
  }

  @Test func `the longest token is accepted, one byte more is not`() throws {
    let fixture = try ServiceFixture()
    let longest = "cAPs7kQ9R0m:".padding(to: MessageRules.tokenLengthLimit)
    #expect(try fixture.send(to: longest).isAccepted)
    #expect(try fixture.send(to: longest + "x").diagnosis?.code.rawValue == "token-malformed")
  }

  @Test func `an installation ID is a target in both fields, a token only in its own`() throws {
    let fixture = try ServiceFixture()
    let fid = "fiHc_h5ierxceZ8XZ2JEBS"
    #expect(try fixture.send(#"{"message":{"token":"\#(fid)"}}"#).isAccepted)
    #expect(try fixture.send(#"{"message":{"fid":"\#(fid)"}}"#).isAccepted)
    #expect(try fixture.send(#"{"message":{"fid":"\#(Self.token)"}}"#).reason == "INVALID_ARGUMENT")
  }

  @Test(arguments: ["bad#topic!name", "/topics/news", "a b", String(repeating: "t", count: 901)])
  func `a topic's name has captured characters only; the field is message`(_ name: String) throws {
    let fixture = try ServiceFixture()
    try fixture.send(#"{"message":{"topic":"\#(name)"}}"#)
    let error = try #require(fixture.json?["error"])
    #expect(error["message"] == "Topic name contains invalid characters.")
    #expect(error.pointer("/details/0/fieldViolations/0/field") == "message")
    #expect(error.pointer("/details/1/errorCode") == "INVALID_ARGUMENT")
  }

  @Test(arguments: ["from", "message_type", "gcm", "google.x", "gcm.notification.title"])
  func `a reserved key of data is refused by its place`(_ key: String) throws {
    let fixture = try ServiceFixture()
    for (path, prefix) in [("", ""), (#""android":{"#, "android."), (#""webpush":{"#, "webpush.")] {
      let end = path.isEmpty ? "" : "}"
      try fixture.send(
        #"{"message":{"topic":"t",\#(path)"data":{"a":"b","\#(key)":"x"}\#(end)}}"#)
      let error = try #require(fixture.json?["error"])
      #expect(error["message"]?.stringValue == "Invalid data payload key: \(key)")
      #expect(
        error.pointer("/details/0/fieldViolations/0/field")?.stringValue
          == "message.\(prefix)data[1].key")
      #expect(error.pointer("/details/1/errorCode") == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: ["collapse_key", "fromage", "googled", "gcm.x", "notification"])
  func `a key that only looks reserved is taken`(_ key: String) throws {
    let fixture = try ServiceFixture()
    #expect(try fixture.send(#"{"message":{"topic":"t","data":{"\#(key)":"x"}}}"#).isAccepted)
  }

  // Google: "rounded down to the nearest second".
  @Test(arguments: [
    ("0s", true), ("2419200s", true), ("2419200.999999999s", true), ("2419201s", false),
    ("-1s", false), ("-0.5s", false),
  ])
  func `a time to live is between 0 and four weeks`(_ ttl: String, _ isGood: Bool) throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(#"{"message":{"topic":"t","android":{"ttl":"\#(ttl)"}}}"#)
    #expect(outcome.isAccepted == isGood)
    #expect(fixture.head.status == (isGood ? 200 : 400))
  }

  private static func message(_ target: String, _ count: Int) -> String {
    #"{"message":{\#(target),"data":{"p":"\#(String(repeating: "x", count: count))"}}}"#
  }

  @Test func `a message over the limit is answered as captured on 2026-07-09`() throws {
    let fixture = try ServiceFixture()
    let target = #""token":"\#(Self.token)""#
    #expect(try fixture.send(Self.message(target, 4095)).isAccepted)
    let outcome = try fixture.send(Self.message(target, 4096))
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 400,
            "message": "Message is too large. The maximum is 4K (4096 bytes).",
            "status": "INVALID_ARGUMENT",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.BadRequest"
              },
              {
                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                "errorCode": "INVALID_ARGUMENT"
              }
            ]
          }
        }

        """)
    #expect(outcome.diagnosis?.code.rawValue == "message-too-large")
  }

  @Test(arguments: [
    (nil as Platform?, true, true, true), (.ios, true, false, false),
    (.android, false, true, false),
    (.web, false, false, true),
  ])
  func `what a token's platform gets counts, and anything where it is not known`(
    _ platform: Platform?, _ countsAPNs: Bool, _ countsAndroid: Bool, _ countsWeb: Bool
  ) throws {
    let fixture = try ServiceFixture()
    if let platform { fixture.register(platform: platform) }
    let text = String(repeating: "x", count: 4096)
    for (configuration, counts) in [
      (#""apns":{"payload":{"aps":{"alert":"\#(text)"}}}"#, countsAPNs),
      (#""android":{"data":{"p":"\#(text)"}}"#, countsAndroid),
      (#""webpush":{"notification":{"body":"\#(text)"}}"#, countsWeb),
    ] {
      let outcome = try fixture.send(
        #"{"message":{"token":"\#(Self.token)",\#(configuration)}}"#)
      #expect(outcome.isAccepted != counts, "\(configuration.prefix(20))")
      guard counts else { continue }
      #expect(outcome.diagnosis?.code.rawValue == "message-too-large")
      let place = platform.map { "the token's platform, \($0.rawValue)" } ?? "its largest platform"
      let what = outcome.diagnosis?.what ?? ""
      #expect(what.contains("keys and values on \(place)"), "\(what)")
    }
  }

  /// Google's reference: a platform's map overrides the common one, which then does not count.
  @Test(arguments: [(Platform.android, true), (.web, true), (.ios, false)])
  func `a common map that the platform overrides does not count`(
    _ platform: Platform, _ isAccepted: Bool
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register(platform: platform)
    let text = String(repeating: "x", count: 4096)
    let own = #"{"data":{"other":"y"}}"#
    let outcome = try fixture.send(
      #"{"message":{"token":"\#(Self.token)","data":{"p":"\#(text)"},"android":\#(own),"webpush":\#(own)}}"#
    )
    #expect(outcome.isAccepted == isAccepted)
  }

  // Google's discovery document; no answer was captured.
  @Test func `android and androidV2 together are refused`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(#"{"message":{"topic":"t","android":{},"androidV2":{}}}"#)
    #expect(fixture.head.status == 400)
    #expect(outcome.googleStatus == "INVALID_ARGUMENT")
    #expect(outcome.diagnosis?.code.rawValue == "field-invalid")
    #expect(try fixture.send(#"{"message":{"topic":"t","androidV2":{}}}"#).isAccepted)
  }

  @Test func `a topic takes 4505 bytes in one entry, measured on 2026-07-09`() throws {
    let fixture = try ServiceFixture()
    #expect(try fixture.send(Self.message(#""topic":"t""#, 4505)).isAccepted)
    #expect(try !fixture.send(Self.message(#""topic":"t""#, 4506)).isAccepted)
    fixture.workspaces.default.policies.wire = .documented
    #expect(try fixture.send(Self.message(#""topic":"t""#, 2047)).isAccepted)
    #expect(try !fixture.send(Self.message(#""topic":"t""#, 2048)).isAccepted)
  }
}

extension String {
  /// The text, filled up with `x` to a number of bytes.
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: "x", count: count - utf8.count)
  }
}
