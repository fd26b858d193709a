import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// The Instance ID API; evidence: Google, "Instance ID server reference", and the tables of SDKs.
@Suite struct InstanceIDServiceTests {
  let fixture: ServiceFixture
  static let token = ServiceFixture.androidToken

  init() throws {
    fixture = try ServiceFixture()
    fixture.register()
  }

  private func topics(_ token: String = token) -> [String] {
    fixture.workspaces.default.topics.subscriptions(of: Array(token.utf8), in: "demo").map(\.topic)
  }

  // MARK: Batches

  @Test func `a batch subscribes and unsubscribes, and says so token by token in order`() throws {
    fixture.register(ServiceFixture.token(1)).state = .unregistered(since: fixture.time.now)
    fixture.register(ServiceFixture.token(2), project: "other")
    let outcome = try fixture.batch(
      "batchAdd",
      [Self.token, ServiceFixture.token(1), "x", ServiceFixture.token(2), ServiceFixture.token(3)])
    #expect(fixture.head.status == 200)
    #expect(
      fixture.text
        == #"{"results":[{},{"error":"NOT_FOUND"},{"error":"INVALID_ARGUMENT"},"#
        + #"{"error":"PERMISSION_DENIED"},{}]}"#)
    #expect(outcome.service == .iid && outcome.isAccepted)
    #expect(Array(outcome.topic) == Array("news".utf8))
    #expect(
      outcome.warnings.map(\.pointer) == [1, 2, 3].map { "/registration_tokens/\($0)" })
    #expect(outcome.warnings[0].text.contains("the app was uninstalled"))
    #expect(topics() == ["news"])
    #expect(topics(ServiceFixture.token(3)) == ["news"])
    try fixture.batch("batchAdd", [Self.token])
    #expect(fixture.text == #"{"results":[{}]}"#)
    for _ in 1...2 {
      try fixture.batch("batchRemove", [Self.token])
      #expect(fixture.text == #"{"results":[{}]}"#)
    }
    #expect(topics().isEmpty)
  }

  @Test func `1000 tokens are a batch, 1001 are none`() throws {
    let tokens = (0...1000).map(ServiceFixture.token)
    let outcome = try fixture.batch("batchAdd", tokens)
    #expect(fixture.head.status == 400)
    #expect(fixture.text == #"{"error":"BadRequest"}"#)
    #expect(outcome.reason == "BadRequest")
    #expect(outcome.diagnosis?.what == "registration_tokens has 1001 elements")
    try fixture.batch("batchAdd", tokens.dropLast())
    #expect(fixture.json?["results"]?.arrayValue?.count == 1000)
    #expect(fixture.workspaces.default.topics.subscriberCount(of: "news", in: "demo") == 1000)
  }

  @Test func `of many refused tokens the record explains the first hundred`() throws {
    let outcome = try fixture.batch("batchAdd", Array(repeating: "x", count: 1000))
    #expect(outcome.warnings.count == InstanceIDService.explainedLimit)
  }

  @Test(arguments: [
    "", "[]", "{", #"{"registration_tokens":["a"]}"#, #"{"to":"/topics/a"}"#,
    #"{"to":"a","registration_tokens":["a"]}"#, #"{"to":"/topics/a","registration_tokens":[]}"#,
    #"{"to":"/topics/a","registration_tokens":[1]}"#,
    #"{"to":"/topics/a b","registration_tokens":["a"]}"#,
    #"{"to":"/topics/","registration_tokens":["a"]}"#,
  ])
  func `a body of another form is a BadRequest`(_ body: String) throws {
    let outcome = try fixture.instanceID("POST", "/iid/v1:batchAdd", body: body)
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"BadRequest"}"#))
    #expect(outcome.diagnosis != nil)
  }

  @Test func `too many topics are said by the SDKs' words`() throws {
    fixture.workspaces.default.topics = TopicDirectory(topicLimit: 1, totalLimit: 2)
    try fixture.batch("batchAdd", [Self.token])
    try fixture.batch("batchAdd", [Self.token], to: "/topics/more")
    #expect(fixture.text == #"{"results":[{"error":"TOO_MANY_TOPICS"}]}"#)
    try fixture.batch("batchAdd", [ServiceFixture.token(1), ServiceFixture.token(2)])
    #expect(fixture.text == #"{"results":[{},{"error":"RESOURCE_EXHAUSTED"}]}"#)
  }

  // MARK: One token

  @Test func `one token is subscribed by its path`() throws {
    let path = "/iid/v1/\(PercentCoding.encode(Self.token))/rel/topics/"
    let outcome = try fixture.instanceID("POST", path + "news")
    #expect((fixture.head.status, fixture.text) == (200, "{}"))
    #expect(Array(outcome.token) == Array(Self.token.utf8))
    #expect(topics() == ["news"])
    try fixture.instanceID("POST", path + "a%20b")
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"BadRequest"}"#))
  }

  @Test func `one token's refusals have statuses and words of their own`() throws {
    func subscribe(_ token: String) throws -> PushOutcome {
      try fixture.instanceID(
        "POST", "/iid/v1/\(PercentCoding.encode(token))/rel/topics/news")
    }
    #expect(try subscribe("x").diagnosis?.code == .tokenMalformed)
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"InvalidToken"}"#))
    fixture.register().state = .unregistered(since: fixture.time.now)
    #expect(try subscribe(Self.token).diagnosis?.code == .tokenUnregisteredSince)
    #expect(
      (fixture.head.status, fixture.text)
        == (404, #"{"error":"No information found about this instance id."}"#))
    fixture.register(ServiceFixture.token(1), project: "other")
    #expect(try subscribe(ServiceFixture.token(1)).diagnosis?.code == .tokenOfOtherProject)
    #expect((fixture.head.status, fixture.text) == (403, #"{"error":"PERMISSION_DENIED"}"#))
    fixture.workspaces.default.topics = TopicDirectory(topicLimit: 0)
    #expect(try subscribe(ServiceFixture.token(2)).diagnosis?.code == .tooManyTopics)
    #expect((fixture.head.status, fixture.text) == (429, #"{"error":"TOO_MANY_TOPICS"}"#))
  }

  // MARK: Information

  @Test(arguments: ["/iid/info/", "/iid/"])
  func `a token is described, with its topics when details are wanted`(_ prefix: String) throws {
    try fixture.batch("batchAdd", [Self.token])
    try fixture.batch("batchAdd", [Self.token], to: "/topics/a")
    let path = prefix + PercentCoding.encode(Self.token)
    let start =
      #"{"application":"com.example.app","authorizedEntity":"123456789012","scope":"*","#
      + #""platform":"ANDROID""#
    try fixture.instanceID("GET", path)
    #expect((fixture.head.status, fixture.text) == (200, start + "}"))
    try fixture.instanceID("GET", path + "?details=true")
    #expect(
      fixture.text == start
        + #","rel":{"topics":{"a":{"addDate":"2026-09-21"},"news":{"addDate":"2026-09-21"}}}}"#)
  }

  @Test(arguments: [(Platform.ios, "IOS"), (.web, "CHROME")])
  func `platforms have Google's names`(_ platform: Platform, _ name: String) throws {
    fixture.register(platform: platform)
    try fixture.instanceID("GET", "/iid/info/\(PercentCoding.encode(Self.token))")
    #expect(fixture.json?["platform"]?.stringValue == name)
  }

  @Test func `a token that nobody knows has no information, one that was subscribed has`() throws {
    let path = "/iid/info/\(PercentCoding.encode(ServiceFixture.token(1)))?details=true"
    let outcome = try fixture.instanceID("GET", path)
    #expect(
      (fixture.head.status, fixture.text)
        == (404, #"{"error":"No information found about this instance id."}"#))
    #expect(outcome.diagnosis?.code == .tokenUnknown)
    try fixture.batch("batchAdd", [ServiceFixture.token(1)])
    try fixture.instanceID("GET", path)
    #expect(
      fixture.text
        == #"{"authorizedEntity":"123456789012","scope":"*","rel":{"topics":{"news":{"addDate":"2026-09-21"}}}}"#
    )
    try fixture.instanceID("GET", "/iid/info/x")
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"InvalidToken"}"#))
  }

  // MARK: Both APIs

  @Test func `both APIs see the same subscriptions`() throws {
    try fixture.batch("batchAdd", [Self.token])
    try fixture.subscriptions("GET", "/news")
    #expect(fixture.head.status == 200)
    try fixture.subscriptions("POST", "?topicName=news")
    #expect(fixture.head.status == 409)
    try fixture.subscriptions("POST", "?topicName=more")
    try fixture.instanceID(
      "GET", "/iid/info/\(PercentCoding.encode(Self.token))?details=true")
    let names = fixture.json?.pointer("/rel/topics")?.objectValue?.members.map(\.key)
    #expect(names == ["more", "news"])
    try fixture.batch("batchRemove", [Self.token])
    try fixture.subscriptions("GET", "/news")
    #expect(fixture.head.status == 404)
  }

  // MARK: Credentials

  @Test func `without a credential it is MissingAuthorization, with a bad one the page`() throws {
    let missing = fixture.request(
      "POST", "/iid/v1:batchAdd", fields: ["access_token_auth": "true"])
    #expect((fixture.head.status, fixture.text) == (401, #"{"error":"MissingAuthorization"}"#))
    #expect(missing.service == .iid)
    #expect(missing.diagnosis?.code == .credentialMissing)
    let bad = try fixture.instanceID("GET", "/iid/info/x", bearer: "ya29.nobody")
    #expect(fixture.head.status == 401)
    #expect(
      fixture.text
        == "<HTML>\n<HEAD>\n<TITLE>Unauthorized</TITLE>\n</HEAD>\n<BODY BGCOLOR=\"#FFFFFF\" "
        + "TEXT=\"#000000\">\n<H1>Unauthorized</H1>\n<H2>Error 401</H2>\n</BODY>\n</HTML>\n")
    #expect(bad.diagnosis?.code == .credentialUnknown)
    #expect(bad.reason == "Unauthorized")
  }

  @Test(arguments: [nil, "false", ""] as [String?])
  func `an access token without access_token_auth is rejected`(_ value: String?) throws {
    let bearer = try fixture.accessToken()
    var fields = FieldList()
    fields.append("authorization", "Bearer \(bearer)")
    if let value { fields.append("access_token_auth", value) }
    var head = RequestHead(method: "GET", target: "/iid/info/x", authority: "localhost")
    head.fields = fields
    let outcome = fixture.service.respond(
      to: PushRequest(head: head, body: [], receivedAt: fixture.time.now),
      response: &fixture.head, body: &fixture.body)
    #expect(fixture.head.status == 401)
    #expect(outcome.diagnosis?.code == .accessTokenAuthMissing)
  }

  @Test func `an account without the role is PERMISSION_DENIED`() throws {
    let fixture = try ServiceFixture(mayPush: false)
    let outcome = try fixture.batch("batchAdd", [Self.token])
    #expect((fixture.head.status, fixture.text) == (403, #"{"error":"PERMISSION_DENIED"}"#))
    #expect(outcome.diagnosis?.code == .serviceAccountWithoutRole)
  }

  // MARK: Import

  private func importTokens(_ tokens: String, app: String = "com.example.app", sandbox: Bool = true)
    throws -> PushOutcome
  {
    try fixture.instanceID(
      "POST", "/iid/v1:batchImport",
      body: #"{"application":"\#(app)","sandbox":\#(sandbox),"apns_tokens":\#(tokens)}"#)
  }

  @Test func `APNs tokens get registration tokens, in order and always the same`() throws {
    let own = String(repeating: "a", count: 64)
    let stranger = String(repeating: "B", count: 64)
    fixture.tokens.register(
      TokenRecord(
        token: Array(own.utf8), kind: .apns, purpose: .app, device: DeviceID("d9"),
        environment: .sandbox, app: "com.example.app", platform: .ios))
    var made = 0
    fixture.service.importToken = { record, project in
      made += 1
      #expect(project == "demo")
      return Array((record == nil ? "stranger" : "own").utf8)
    }
    let outcome = try importTokens(#"["\#(own)","x","\#(stranger)"]"#)
    #expect(
      fixture.text
        == #"{"results":[{"apns_token":"\#(own)","status":"OK","registration_token":"own"},"#
        + #"{"apns_token":"x","status":"Internal Server Error"},"#
        + #"{"apns_token":"\#(stranger)","status":"OK","registration_token":"stranger"}]}"#)
    #expect(outcome.warnings.map(\.pointer) == ["/apns_tokens/1"])
    _ = try importTokens(#"["\#(stranger.lowercased())"]"#)
    #expect(made == 2)
    for (app, sandbox) in [("com.other", true), ("com.example.app", false)] {
      _ = try importTokens(#"["\#(own)"]"#, app: app, sandbox: sandbox)
      #expect(fixture.json?.pointer("/results/0/status") == "Internal Server Error")
    }
    fixture.service.importToken = { _, _ in nil }
    let refused = try importTokens(#"["\#(own)"]"#)
    #expect(fixture.json?.pointer("/results/0/status") == "Internal Server Error")
    #expect(refused.warnings.first?.text.contains("dead or of another project") == true)
    fixture.workspaces.default.policies.tokens = .strict
    _ = try importTokens(#"["\#(stranger)"]"#)
    #expect(fixture.json?.pointer("/results/0/status") == "Internal Server Error")
  }

  @Test func `100 APNs tokens are a batch, 101 are none`() throws {
    func list(_ count: Int) -> String {
      "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]"
    }
    _ = try importTokens(list(100))
    #expect(fixture.head.status == 200)
    _ = try importTokens(list(101))
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"BadRequest"}"#))
    _ = try importTokens("[]")
    #expect(fixture.head.status == 400)
    _ = try importTokens(list(1), app: "")
    #expect(fixture.head.status == 400)
  }
}
