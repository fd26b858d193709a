import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport
import Testing

@testable import PushpitFCM

/// A send put together from parts, each of which can be spoiled by itself.
struct OrderedSend {
  var isBodyCut = false
  var hasCredential = true
  var scope = ServiceFixture.messagingScope
  /// How much older the access token is when it is used.
  var age: Duration = .zero
  var project = "demo"
  var settings = FCMSettings()
  var query = ""
  var end = ""
  var target = #""token":"\#(ServiceFixture.androidToken)""#
  var members: [String] = []
  var android: [String] = []
  var hasBothConfigs = false
  /// The project that the token is of, and whether its app is there still.
  var owner = "demo"
  var isInstalled = true

  /// Sends it on a service of its own, and returns the answer's body.
  func answer() throws -> String {
    let fixture = try ServiceFixture()
    let record = fixture.register(project: owner)
    if !isInstalled { record.state = .unregistered(since: fixture.time.now) }
    var claims = fixture.goodClaims
    claims["scope"] = .string(scope)
    let token = try fixture.accessToken(claims)
    fixture.workspaces.default.fcm = settings
    fixture.workspaces.default.clock.offset = age
    var members = [target] + members
    if !android.isEmpty || hasBothConfigs {
      members.append(#""android":{\#(android.joined(separator: ","))}"#)
    }
    if hasBothConfigs { members.append(#""androidV2":{}"#) }
    fixture.request(
      "POST", "/v1/projects/\(project)/messages:send" + query,
      fields: hasCredential ? ["authorization": "Bearer \(token)"] : [:],
      body: #"{"message":{\#(members.joined(separator: ","))}}"# + end, isBodyCut: isBodyCut)
    return fixture.text
  }
}

/// A way to fail one check of a send, and what is known of the check's place in the order.
struct OrderFault: CustomTestStringConvertible, Sendable {
  let title: String
  /// What of the answer no other fault brings about.
  let answer: String
  /// How it is known that the check before it comes first; nil for the first.
  let place: ConformanceEvidence?
  let spoil: @Sendable (inout OrderedSend) -> Void

  private init(
    _ title: String, _ answer: String, _ place: ConformanceEvidence?,
    spoil: @escaping @Sendable (inout OrderedSend) -> Void
  ) {
    (self.title, self.answer, self.place, self.spoil) = (title, answer, place, spoil)
  }

  var testDescription: String { title }

  private static let front = ConformanceEvidence.measured(
    "API front end, October 2026: JSON comes before the API's own checks")
  private static let ours = ConformanceEvidence.assumed("no capture has two of these faults")

  /// One fault for each check, in the order of the checks.
  static let all: [OrderFault] = [
    OrderFault("size of the body", "Error 413", nil) { $0.isBodyCut = true },
    OrderFault(
      "presence of a credential", "CREDENTIALS_MISSING",
      .assumed("the edge looks at the size before an API is asked")
    ) { $0.hasCredential = false },
    OrderFault(
      "age of the access token", "ACCESS_TOKEN_EXPIRED",
      .assumed("what is not there has no age")
    ) { $0.age = .seconds(3600) },
    OrderFault(
      "scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      .assumed("scopes are those of a token that counts")
    ) { $0.scope = "https://www.googleapis.com/auth/firebase" },
    OrderFault(
      "permission in the project", "IAM_PERMISSION_DENIED",
      .assumed("scopes are the token's own, permissions are looked up")
    ) { $0.project = "other" },
    OrderFault(
      "whether the API is on", "SERVICE_DISABLED",
      .assumed("a project that is not the sender's tells nothing of itself")
    ) { $0.settings.isAPIEnabled = false },
    OrderFault(
      "quota of the project", "RATE_LIMIT_EXCEEDED", .assumed("an API that is off counts nothing")
    ) { $0.settings.quotas = .init(projectPerMinute: 0) },
    OrderFault("parameters of the query", "Cannot bind query parameter", ours) {
      $0.query = "?colour=red"
    },
    OrderFault(
      "syntax of the body", "Parsing terminated before end of input.",
      .measured(
        "API front end, September 2026: the credential comes before the body; of the query no capture tells"
      )
    ) {
      $0.end = " x"
    },
    OrderFault(
      "fields of the body", "Cannot find field.",
      .measured("API front end, October 2026: an error of syntax in the first pass comes first")
    ) { $0.members.append(#""toen":1"#) },
    OrderFault("presence of a target", "Recipient of the message is not set.", front) {
      $0.target = #""token":"""#
    },
    OrderFault(
      "form of the target", "not a valid FCM registration token",
      .assumed("what is not there has no form")
    ) {
      // An empty target stays empty.
      guard $0.target == OrderedSend().target else { return }
      $0.target = #""token":"nonsense""#
    },
    OrderFault("one generation of Android", "Only one of android and android_v2", ours) {
      $0.hasBothConfigs = true
    },
    OrderFault("keys of data", "Invalid data payload key: from", ours) {
      $0.members.append(#""data":{"from":"x"}"#)
    },
    OrderFault("time to live on Android", "The time to live must be", ours) {
      $0.android.append(#""ttl":"-1s""#)
    },
    OrderFault("time to live in browsers", "TTL must be a non-negative integer.", ours) {
      $0.members.append(#""webpush":{"headers":{"TTL":"1h"}}"#)
    },
    OrderFault("types in aps", "Value type for APS key [badge]", ours) {
      $0.members.append(#""apns":{"payload":{"aps":{"badge":"1"}}}"#)
    },
    OrderFault("size of the message", "Message is too large.", ours) {
      $0.members.append(
        #""notification":{"body":"\#(String(repeating: "x", count: 5000))"}"#)
    },
    OrderFault(
      "project of the token", "SENDER_ID_MISMATCH",
      .assumed("it needs a database, everything before it only the request")
    ) { $0.owner = "other" },
    OrderFault(
      "life of the token", "UNREGISTERED",
      .assumed("who is no sender of the app is not told what became of it")
    ) { $0.isInstalled = false },
    OrderFault(
      "package of the token", "The package name of the registration token",
      .assumed("a token that is gone has no package")
    ) { $0.android.append(#""restrictedPackageName":"com.other""#) },
    OrderFault(
      "quota of the device", "Device message rate exceeded.",
      .assumed("a message that is refused for itself reaches no device")
    ) {
      $0.settings.quotas = .init(
        projectPerMinute: $0.settings.quotas?.projectPerMinute, devicePerMinute: 0)
    },
  ]
}

@Suite struct OrderFaultTests {
  @Test(arguments: OrderFault.all.indices)
  func `of two faults of a send the earlier check answers`(index: Int) throws {
    let first = OrderFault.all[index]
    for second in OrderFault.all[index...] {
      var send = OrderedSend()
      first.spoil(&send)
      if second.title != first.title { second.spoil(&send) }
      #expect(try send.answer().contains(first.answer), "\(first) with \(second)")
    }
  }

  @Test func `without a fault the send is accepted, and every check but the first has its place`()
    throws
  {
    #expect(try OrderedSend().answer().contains("projects/demo/messages/0:"))
    #expect(OrderFault.all.map { $0.place == nil } == OrderFault.all.indices.map { $0 == 0 })
  }
}
