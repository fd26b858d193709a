import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// `/fcm/notification` and sends to a notification key.
///
/// Evidence: Google, "Send messages to device groups". Texts of errors are those of Google's documents
/// and of reports unless said otherwise.
@Suite struct DeviceGroupsTests {
  let fixture: ServiceFixture
  static let token = ServiceFixture.androidToken

  init() throws {
    fixture = try ServiceFixture()
    fixture.register()
  }

  private func tokens(_ numbers: Range<Int>) -> JSONValue {
    .array(numbers.map { .string(ServiceFixture.token($0)) })
  }

  private func create(_ name: String = "anna", _ members: JSONValue? = nil) throws -> String {
    try fixture.group([
      "operation": "create", "notification_key_name": .string(name),
      "registration_ids": members ?? [.string(Self.token)],
    ])
    return try #require(fixture.json?["notification_key"]?.stringValue)
  }

  private func change(_ operation: String, _ key: String, _ members: JSONValue) throws
    -> PushOutcome
  {
    try fixture.group([
      "operation": .string(operation), "notification_key_name": "anna",
      "notification_key": .string(key), "registration_ids": members,
    ])
  }

  private func members(_ key: String) -> Int {
    fixture.workspaces.default.groups[Array(key.utf8)]?.members.count ?? 0
  }

  private func show(_ name: String) throws -> PushOutcome {
    try fixture.instanceID(
      "GET", "/fcm/notification?notification_key_name=\(name)", projectID: "123456789012")
  }

  @Test func `a group is created, looked up, added to, removed from and deleted`() throws {
    let key = try create()
    #expect(fixture.text == #"{"notification_key":"\#(key)"}"#)
    #expect(key.hasPrefix("APA91b") && !key.contains(":"))
    #expect(try show("anna").service == .fcm)
    #expect(fixture.text == #"{"notification_key":"\#(key)"}"#)
    #expect(try change("add", key, tokens(0..<2)).isAccepted)
    #expect(fixture.text == #"{"notification_key":"\#(key)"}"#)
    #expect(members(key) == 3)
    #expect(try change("remove", key, tokens(0..<2)).isAccepted)
    #expect(members(key) == 1)
    #expect(try change("remove", key, [.string(Self.token)]).isAccepted)
    #expect(fixture.text == #"{"notification_key":"\#(key)"}"#)
    #expect(try show("anna").diagnosis?.code == .groupUnknown)
    #expect(
      (fixture.head.status, fixture.text) == (400, #"{"error":"notification_key not found"}"#))
  }

  @Test func `a name that is taken is an error that says so`() throws {
    _ = try create()
    let outcome = try fixture.group([
      "operation": "create", "notification_key_name": "anna",
      "registration_ids": [.string(Self.token)],
    ])
    #expect(
      (fixture.head.status, fixture.text) == (400, #"{"error":"notification_key already exists"}"#))
    #expect(outcome.reason == "notification_key already exists")
    #expect(outcome.diagnosis?.code == .groupExists)
  }

  @Test(arguments: [[], ["x"], [1]] as [JSONValue])
  func `without one good token there is no group`(_ members: JSONValue) throws {
    let outcome = try fixture.group([
      "operation": "create", "notification_key_name": "anna", "registration_ids": members,
    ])
    #expect(
      (fixture.head.status, fixture.text) == (400, #"{"error":"no valid registration ids"}"#))
    #expect(outcome.diagnosis?.code == .groupWithoutTokens)
    #expect(fixture.workspaces.default.groups.count == 0)
    let key = try create()
    _ = try change("remove", key, members)
    #expect(fixture.text == #"{"error":"no valid registration ids"}"#)
  }

  @Test func `dead and malformed tokens are left out beside good ones, and can be removed`() throws
  {
    let dead = ServiceFixture.token(7)
    let record = fixture.register(dead)
    let key = try create("anna", [.string(Self.token), .string(dead), "x"])
    #expect(members(key) == 2)
    record.state = .unregistered(since: fixture.time.now)
    let other = try create("ben", [.string(Self.token), .string(dead)])
    #expect(members(other) == 1)
    #expect(try change("remove", key, [.string(dead)]).isAccepted)
    #expect(members(key) == 1)
  }

  @Test func `a group has 20 members at most`() throws {
    let key = try create("anna", tokens(0..<20))
    let outcome = try change("add", key, tokens(20..<21))
    // The text is assumed; none was captured.
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"too many registration ids"}"#))
    #expect(outcome.diagnosis?.code == .groupTooLarge)
    #expect(members(key) == 20)
    for numbers in [0..<21, 0..<1001] {
      try fixture.group([
        "operation": "create", "notification_key_name": "ben",
        "registration_ids": tokens(numbers),
      ])
      #expect(fixture.text == #"{"error":"too many registration ids"}"#)
    }
  }

  @Test func `a full workspace takes no more groups`() throws {
    fixture.workspaces.default.groups = DeviceGroupDirectory(groupLimit: 1)
    _ = try create()
    let outcome = try fixture.group([
      "operation": "create", "notification_key_name": "ben",
      "registration_ids": [.string(Self.token)],
    ])
    #expect((fixture.head.status, outcome.reason) == (429, "RESOURCE_EXHAUSTED"))
  }

  @Test(arguments: [
    ("notification_key", "APA91bnobody"), ("notification_key_name", "ben"),
  ])
  func `a key that is none, or of another name, is not found`(_ member: String, _ value: String)
    throws
  {
    let key = try create()
    var body = JSONObject([
      "operation": "add", "notification_key_name": "anna", "notification_key": .string(key),
      "registration_ids": tokens(0..<1),
    ])
    body[member] = .string(value)
    let outcome = try fixture.group(.object(body))
    #expect(
      (fixture.head.status, fixture.text) == (400, #"{"error":"notification_key not found"}"#))
    #expect(outcome.diagnosis?.code == .groupUnknown)
    #expect(members(key) == 1)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"operation":"make"}"#, #"{"operation":"create","registration_ids":["a"]}"#,
    #"{"operation":"create","notification_key_name":"","registration_ids":["a"]}"#,
  ])
  func `a body of another form is a BadRequest`(_ body: String) throws {
    let outcome = try fixture.instanceID(
      "POST", "/fcm/notification", body: body, projectID: "123456789012")
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"BadRequest"}"#))
    #expect(outcome.diagnosis?.code == .requestInvalid)
  }

  @Test func `a name has its limit, and a query needs one`() throws {
    let long = String(repeating: "n", count: DeviceGroups.nameLimit + 1)
    try fixture.group([
      "operation": "create", "notification_key_name": .string(long),
      "registration_ids": [.string(Self.token)],
    ])
    #expect(fixture.text == #"{"error":"BadRequest"}"#)
    _ = try create(String(long.dropLast()))
    #expect(try show("").diagnosis?.code == .requestInvalid)
  }

  @Test func `the sender ID must be in project_id`() throws {
    let body: JSONValue = [
      "operation": "create", "notification_key_name": "anna",
      "registration_ids": [.string(Self.token)],
    ]
    for (number, status) in [(nil, 400), ("demo", 401), ("1", 401)] as [(String?, Int)] {
      let outcome = try fixture.group(body, projectID: number)
      #expect(fixture.head.status == status)
      #expect(outcome.diagnosis?.code == .projectIDFieldWrong)
    }
  }

  @Test func `without access_token_auth a bearer is rejected`() throws {
    let bearer = try fixture.accessToken()
    let outcome = fixture.request(
      "POST", "/fcm/notification",
      fields: ["authorization": "Bearer \(bearer)", "project_id": "123456789012"])
    #expect(fixture.head.status == 401)
    #expect(fixture.text.contains("<TITLE>Unauthorized</TITLE>"))
    #expect(outcome.diagnosis?.code == .accessTokenAuthMissing)
  }

  // MARK: Sends

  @Test func `a message to a notification key is for all members, with an ordinary answer`() throws
  {
    let key = try create("anna", tokens(0..<3))
    let outcome = try fixture.send(to: key)
    #expect(fixture.head.status == 200)
    #expect(fixture.json?["name"]?.stringValue?.hasPrefix("projects/demo/messages/0:") == true)
    guard case .group(let members) = outcome.fanOut?.recipients else {
      Issue.record("the message is for no group")
      return
    }
    #expect(members == (0..<3).map { Array(ServiceFixture.token($0).utf8) })
    #expect(outcome.recipient == nil)
  }

  /// Google's discovery document: `fid` takes a Firebase installation ID.
  @Test func `a notification key is no fid`() throws {
    let key = try create()
    let outcome = try fixture.send(#"{"message":{"fid":"\#(key)"}}"#)
    #expect((fixture.head.status, outcome.reason) == (400, "INVALID_ARGUMENT"))
    #expect(outcome.diagnosis?.fix == "put it in message.token")
    #expect(outcome.diagnosis?.what.contains("notification key") == true)
    #expect(outcome.fanOut == nil)
  }

  @Test(arguments: ["add", "remove"])
  func `more ids than are read are said to be it, and not too many members`(_ operation: String)
    throws
  {
    let key = try create()
    let outcome = try change(operation, key, tokens(0..<1001))
    #expect((fixture.head.status, fixture.text) == (400, #"{"error":"too many registration ids"}"#))
    #expect(
      outcome.diagnosis?.what == "the body has 1001 registration_ids, and at most 1000 are read")
    #expect(members(key) == 1)
  }

  @Test func `a validated message to a notification key is for nobody`() throws {
    let key = try create()
    let outcome = try fixture.send(#"{"validate_only":true,"message":{"token":"\#(key)"}}"#)
    #expect(fixture.json?["name"] == "projects/demo/messages/fake_message_id")
    #expect(outcome.fanOut == nil)
  }

  @Test func `the key of a deleted group is no token, that of another project a mismatch`() throws {
    let key = try create()
    let group = try #require(fixture.workspaces.default.groups[Array(key.utf8)])
    fixture.workspaces.default.groups.remove(group.members, from: group)
    let gone = try fixture.send(to: key)
    #expect((fixture.head.status, gone.reason) == (400, "INVALID_ARGUMENT"))
    #expect(gone.diagnosis?.code == .groupUnknown)
    let unknown = try fixture.send(to: "APA91b" + String(repeating: "x", count: 134))
    #expect((fixture.head.status, unknown.diagnosis?.code) == (400, .groupUnknown))
    let text = try fixture.send(to: "no token")
    #expect((fixture.head.status, text.diagnosis?.code) == (400, .tokenMalformed))
    let other = try fixture.workspaces.default.groups.create(
      key: Array("APA91bother".utf8), name: "anna", project: "other", members: [[1]])
    let refused = try fixture.send(to: String(decoding: other.key, as: UTF8.self))
    #expect((fixture.head.status, refused.reason) == (403, "SENDER_ID_MISMATCH"))
    #expect(refused.diagnosis?.code == .groupOfOtherProject)
    let notFound = try change("add", "APA91bother", [.string(Self.token)])
    #expect(notFound.diagnosis?.code == .groupUnknown)
  }
}
