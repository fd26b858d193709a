import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct FCMSettingsTests {
  private let fixture: ServiceFixture
  private let bearer: String
  private var workspace: Workspace { fixture.workspaces.default }

  init() throws {
    fixture = try ServiceFixture()
    bearer = try fixture.accessToken()
  }

  private func send(
    topic: String = "t", extra: String = ""
  ) throws -> PushOutcome {
    try fixture.send(#"{\#(extra)"message":{"topic":"\#(topic)"}}"#, bearer: bearer)
  }

  @Test func `a disabled API is SERVICE_DISABLED in the order of Google's other APIs`() throws {
    workspace.fcm.isAPIEnabled = false
    let outcome = try send()
    let url =
      "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123456789012"
    let message =
      "Firebase Cloud Messaging API has not been used in project 123456789012 before or it is disabled. "
      + "Enable it by visiting \(url) then retry. If you enabled this API recently, wait a few minutes "
      + "for the action to propagate to our systems and retry."
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 403,
            "message": "\(message)",
            "status": "PERMISSION_DENIED",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "SERVICE_DISABLED",
                "domain": "googleapis.com",
                "metadata": {
                  "service": "fcm.googleapis.com",
                  "consumer": "projects/123456789012",
                  "activationUrl": "\(url)"
                }
              },
              {
                "@type": "type.googleapis.com/google.rpc.LocalizedMessage",
                "locale": "en-US",
                "message": "\(message)"
              },
              {
                "@type": "type.googleapis.com/google.rpc.Help",
                "links": [
                  {
                    "description": "Google developers console API activation",
                    "url": "\(url)"
                  }
                ]
              }
            ]
          }
        }

        """)
    #expect(outcome.reason == "SERVICE_DISABLED")
    #expect(outcome.diagnosis?.code.rawValue == "api-disabled")
  }

  @Test func `documented sizes hold for topics where the setting says so`() throws {
    let body = #"{"message":{"topic":"t","data":{"k":"\#(String(repeating: "x", count: 2048))"}}}"#
    #expect(try fixture.send(body, bearer: bearer).isAccepted)
    workspace.fcm.sizeLimit = .documented
    #expect(try fixture.send(body, bearer: bearer).diagnosis?.code.rawValue == "message-too-large")
  }

  @Test func `the project's quota is the front end's 429, with Retry-After and without FcmError`()
    throws
  {
    workspace.fcm.quotas = FCMSettings.Quotas(projectPerMinute: 1)
    #expect(try send().isAccepted)
    let outcome = try send(topic: "u")
    #expect(fixture.head.status == 429)
    #expect(fixture.head.fields.text("retry-after") == "60")
    #expect(outcome.diagnosis?.code.rawValue == "quota-exceeded")
  }

  @Test func `a topic's quota is QUOTA_EXCEEDED, counted for each topic`() throws {
    workspace.fcm.quotas = FCMSettings.Quotas(topicPerMinute: 1)
    #expect(try send().isAccepted)
    #expect(try send(topic: "u").isAccepted)
    #expect(try send(extra: #""validate_only":true,"#).isAccepted)
    let outcome = try send()
    #expect(outcome.reason == "QUOTA_EXCEEDED")
  }

  @Test func `a device's quota is QUOTA_EXCEEDED and of its token only`() throws {
    workspace.fcm.quotas = FCMSettings.Quotas(devicePerMinute: 2)
    for _ in 0..<2 { #expect(try fixture.send(bearer: bearer).isAccepted) }
    let outcome = try fixture.send(bearer: bearer)
    #expect(outcome.reason == "QUOTA_EXCEEDED")
    #expect(outcome.diagnosis?.code.rawValue == "quota-exceeded")
    #expect(outcome.recipient == nil)
    let other = String(ServiceFixture.androidToken.dropLast()) + "y"
    #expect(try fixture.send(to: other, bearer: bearer).isAccepted)
  }

  @Test func `an uninstalled app's token is answered with 200 until the delay is over`() throws {
    workspace.apns.uninstallDelay = .seconds(60)
    let record = fixture.register()
    record.state = .unregistered(since: fixture.time.now + .seconds(-59))
    #expect(try fixture.send(bearer: bearer).isAccepted)
    record.state = .unregistered(since: fixture.time.now + .seconds(-60))
    #expect(try fixture.send(bearer: bearer).reason == "UNREGISTERED")
  }

  @Test func `an uninstalled iOS app has APNs' answer too, which validation does not ask for`()
    throws
  {
    fixture.register(platform: .ios).state = .unregistered(since: fixture.time.now)
    _ = try fixture.send(bearer: bearer)
    #expect(fixture.head.status == 404)
    #expect(
      fixture.json?.pointer("/error/details")
        == [
          [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "UNREGISTERED",
          ],
          [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError", "statusCode": 410,
            "reason": "Unregistered",
          ],
        ])
    _ = try fixture.send(
      #"{"validate_only":true,"message":{"token":"\#(ServiceFixture.androidToken)"}}"#,
      bearer: bearer)
    #expect(fixture.json?.pointer("/error/details")?.arrayValue?.count == 1)
  }

  @Test(arguments: ["android", "android_v2"])
  func `restricted_package_name must be the token's`(_ config: String) throws {
    fixture.register()
    for (name, isAccepted) in [("com.example.app", true), ("", true), ("com.other", false)] {
      let outcome = try fixture.send(
        #"{"message":{"token":"\#(ServiceFixture.androidToken)","\#(config)":{"restrictedPackageName":"\#(name)"}}}"#,
        bearer: bearer)
      #expect(outcome.isAccepted == isAccepted, "\(name)")
    }
    #expect(
      fixture.json?.pointer("/error/details/0/fieldViolations/0/field")?.stringValue
        == "message.\(config).restricted_package_name")
  }

  @Test(arguments: [
    ("badge", #""1""#), ("badge", "true"), ("alert", "1"), ("sound", "true"), ("category", "2"),
    ("thread-id", "{}"),
  ])
  func `a value of aps has its type, captured for badge`(_ key: String, _ value: String) throws {
    let outcome = try fixture.send(
      #"{"message":{"topic":"t","apns":{"payload":{"aps":{"\#(key)":\#(value)}}}}}"#,
      bearer: bearer)
    #expect(outcome.reason == "INVALID_ARGUMENT")
    #expect(
      fixture.json?.pointer("/error/details/0/fieldViolations/0/field")?.stringValue
        == "message.apns.payload.aps.\(key)")
  }

  @Test func `right values of aps pass`() throws {
    let outcome = try fixture.send(
      #"""
      {"message":{"topic":"t","apns":{"payload":{"aps":{"alert":{"title":"a"},"badge":1,"sound":
      {"critical":1,"name":"x"},"category":"c","thread-id":"t","content-available":true}}}}}
      """#, bearer: bearer)
    #expect(outcome.isAccepted)
  }
}

@Suite struct FCMQuotasTests {
  private let start = Timestamp(milliseconds: 1_790_000_000_000)

  @Test func `a minute begins with its first message and says how long is left`() {
    var quotas = FCMQuotas()
    func wait(_ milliseconds: Int64) -> Int? {
      quotas.secondsToWait(
        .device, [1], of: .default, perMinute: 1, at: start + .milliseconds(milliseconds))
    }
    #expect(wait(0) == nil)
    #expect(wait(0) == 60)
    #expect(wait(58_500) == 2)
    #expect(wait(59_999) == 1)
    #expect(wait(60_000) == nil)
    #expect(wait(60_001) == 60)
  }

  @Test func `each kind's table is bounded`() {
    var quotas = FCMQuotas(limit: 3)
    for kind in FCMQuotas.Kind.allCases {
      for name: UInt8 in 0..<10 {
        #expect(quotas.secondsToWait(kind, [name], of: .default, perMinute: 1, at: start) == nil)
      }
      #expect(quotas.count(of: kind) == 3)
    }
  }

  @Test func `the project's quota fires after more devices than are counted`() {
    var quotas = FCMQuotas(limit: 3)
    func wait(_ kind: FCMQuotas.Kind, _ name: UInt8) -> Int? {
      quotas.secondsToWait(kind, [name], of: .default, perMinute: 10, at: start)
    }
    for name: UInt8 in 0..<10 {
      #expect(wait(.project, 0) == nil)
      #expect(wait(.device, name) == nil)
    }
    #expect(wait(.project, 0) == 60)
  }
}
