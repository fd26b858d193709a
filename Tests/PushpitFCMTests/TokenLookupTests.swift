import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct TokenLookupTests {
  /// Captured on 2026-07-09: FcmError only.
  private static let unregistered = """
    {
      "error": {
        "code": 404,
        "message": "Requested entity was not found.",
        "status": "NOT_FOUND",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "UNREGISTERED"
          }
        ]
      }
    }

    """

  /// Captured in issues of several senders.
  private static let mismatch = """
    {
      "error": {
        "code": 403,
        "message": "SenderId mismatch",
        "status": "PERMISSION_DENIED",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "SENDER_ID_MISMATCH"
          }
        ]
      }
    }

    """

  @Test func `a registered token receives`() throws {
    let fixture = try ServiceFixture()
    let record = fixture.register()
    let outcome = try fixture.send()
    #expect(outcome.isAccepted)
    #expect(outcome.recipient === record)
    #expect(outcome.app == "com.example.app")
    #expect(outcome.tokenKind == .fcm)
  }

  @Test(arguments: [
    (
      TokenRecord.State.unregistered(since: Timestamp(milliseconds: 1_789_000_000_000)),
      DiagnosisCode.tokenUnregisteredSince
    ),
    (.rotated(at: Timestamp(milliseconds: 1_789_000_000_000)), .sentToRotatedToken),
    (.expired(since: Timestamp(milliseconds: 1_789_000_000_000)), .tokenExpiredSince),
  ])
  func `a dead token is UNREGISTERED, as captured on 2026-07-09, validated or sent`(
    _ state: TokenRecord.State, _ code: DiagnosisCode
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register().state = state
    for option in ["", #""validate_only":true,"#] {
      let outcome = try fixture.send(
        #"{\#(option)"message":{"token":"\#(ServiceFixture.androidToken)"}}"#)
      #expect(fixture.text == Self.unregistered)
      #expect(outcome.reason == "UNREGISTERED")
      #expect(outcome.googleStatus == "NOT_FOUND")
      #expect(outcome.diagnosis?.code == code)
      #expect(outcome.recipient == nil)
    }
  }

  /// FCM: Best practices for registration token management.
  @Test func `an Android device that was away for 270 days has lost its token`() throws {
    let fixture = try ServiceFixture()
    let record = fixture.register()
    let topics = fixture.workspaces.default.topics
    try fixture.workspaces.default.topics.subscribe(
      record.token, to: "news", in: "demo", at: fixture.time.now)
    record.disconnectedAt = fixture.time.now + .seconds(-270 * 86_400 + 1)
    #expect(try fixture.send().isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(1)
    let outcome = try fixture.send()
    #expect(fixture.text == Self.unregistered)
    #expect(outcome.diagnosis?.code == .tokenExpiredSince)
    #expect(record.state == .expired(since: fixture.time.now + .seconds(1)))
    #expect(fixture.workspaces.default.topics.count == topics.count)
  }

  @Test(arguments: [Platform.ios, .web])
  func `other platforms' tokens live as long as their push service says`(
    _ platform: Platform
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register(platform: platform).disconnectedAt =
      fixture.time.now + .seconds(-400 * 86_400)
    #expect(try fixture.send().isAccepted)
  }

  @Test(arguments: [
    (#""apns":{"payload":{"aps":{"alert":"x"}}}"#, ["android-token-registered-as-ios"]),
    (#""apns":{"payload":{"aps":{"alert":"x"}}},"data":{"k":"v"}"#, []),
    (#""data":{"k":"v"}"#, []),
  ])
  func `a message for Apple's devices only is worth a warning at an Android device`(
    _ members: String, _ codes: [String]
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let outcome = try fixture.send(
      #"{"message":{"token":"\#(ServiceFixture.androidToken)",\#(members)}}"#)
    #expect(outcome.isAccepted)
    #expect(outcome.warnings.map(\.code) == codes)
    fixture.register(platform: .web)
    #expect(
      try fixture.send(
        #"{"message":{"token":"\#(ServiceFixture.androidToken)",\#(members)}}"#
      ).warnings.isEmpty)
  }

  @Test func `a token of another project is a sender mismatch`() throws {
    let fixture = try ServiceFixture()
    fixture.register(project: "other")
    let outcome = try fixture.send()
    #expect(fixture.text == Self.mismatch)
    #expect(outcome.reason == "SENDER_ID_MISMATCH")
    #expect(outcome.diagnosis?.code == .tokenOfOtherProject)
  }

  @Test func `a token whose project is named by its number is the project's`() throws {
    let fixture = try ServiceFixture()
    fixture.register(project: "123456789012")
    #expect(try fixture.send().isAccepted)
  }

  @Test(arguments: [("other", "SENDER_ID_MISMATCH"), ("demo", "UNREGISTERED")])
  func `a token of another workspace is explained as such`(
    _ project: String, _ reason: String
  ) throws {
    let fixture = try ServiceFixture()
    fixture.register(project: project, workspace: WorkspaceID("other"))
    let outcome = try fixture.send()
    #expect(outcome.reason == reason)
    #expect(outcome.diagnosis?.code == .tokenOfOtherWorkspace)
  }

  @Test func `an unknown token is adopted when tokens are open`() throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send()
    let record = try #require(fixture.tokens.record(of: Array(ServiceFixture.androidToken.utf8)))
    #expect(outcome.recipient === record)
    #expect(record.device == nil)
    #expect(record.firstUse.elementsEqual("demo".utf8))
    #expect(try fixture.send().recipient === record)
  }

  @Test func `a validation adopts nothing`() throws {
    let fixture = try ServiceFixture()
    let body = #"{"validate_only":true,"message":{"token":"\#(ServiceFixture.androidToken)"}}"#
    #expect(try fixture.send(body).isAccepted)
    #expect(fixture.tokens.record(of: Array(ServiceFixture.androidToken.utf8)) == nil)
  }

  @Test func `an unknown token is UNREGISTERED when tokens are strict`() throws {
    let fixture = try ServiceFixture()
    try fixture.send()
    fixture.workspaces.default.policies.tokens = .strict
    let others = [ServiceFixture.androidToken, "d" + ServiceFixture.androidToken]
    for token in others {
      let outcome = try fixture.send(to: token)
      #expect(fixture.text == Self.unregistered)
      #expect(outcome.diagnosis?.code == .tokenUnknown)
    }
  }

  @Test func `an undeclared token used by a second project is a warning`() throws {
    let fixture = try ServiceFixture()
    let token = Array(ServiceFixture.androidToken.utf8)
    fixture.tokens.adopt(token, kind: .fcm, workspace: .default).firstUse = Array("first".utf8)
    let outcome = try fixture.send()
    #expect(outcome.isAccepted)
    #expect(outcome.warnings.map(\.code) == ["token-used-for-two-apps"])
  }

  @Test func `an undeclared token of another workspace is accepted and reaches nobody`() throws {
    let fixture = try ServiceFixture()
    let token = Array(ServiceFixture.androidToken.utf8)
    _ = fixture.tokens.adopt(token, kind: .fcm, workspace: WorkspaceID("other"))
    let outcome = try fixture.send()
    #expect(outcome.isAccepted)
    #expect(outcome.recipient == nil)
  }

  @Test func `a token whose app logged out is accepted with a warning`() throws {
    let fixture = try ServiceFixture()
    fixture.register().isCleared = true
    let outcome = try fixture.send()
    #expect(outcome.isAccepted)
    #expect(outcome.warnings.map(\.code) == ["sent-after-clear"])
  }

  @Test func `a diagnosis shows eight characters of a token`() throws {
    let fixture = try ServiceFixture()
    let diagnosis = try #require(try fixture.send(to: String(repeating: "ab", count: 32)).diagnosis)
    #expect(diagnosis.what.hasPrefix("the token abababab... is an APNs device token"))
    #expect(!diagnosis.what.contains("ababababa"))
  }
}
