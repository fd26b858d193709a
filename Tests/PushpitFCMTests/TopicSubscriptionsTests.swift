import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// `projects.registrations.topicSubscriptions`, at 2026-09-21T14:13:20Z of the fixture's clock.
///
/// Evidence: Google's reference of the method and its discovery document of 2026-10-23.
@Suite struct TopicSubscriptionsTests {
  let fixture: ServiceFixture
  static let token = ServiceFixture.androidToken
  static let created = """
    {
      "name": "projects/demo/registrations/\(token)/topicSubscriptions/news",
      "topicName": "news",
      "createTime": "2026-09-21T14:13:20Z"
    }

    """
  static let notFound = """
    {
      "error": {
        "code": 404,
        "message": "Requested entity was not found.",
        "status": "NOT_FOUND"
      }
    }

    """

  init() throws {
    fixture = try ServiceFixture()
    fixture.register()
  }

  @Test(arguments: ["?topicName=news", "?topic_name=news", "?topic_name=old&topicName=news"])
  func `a subscription is created, by either name of the parameter`(_ query: String) throws {
    let outcome = try fixture.subscriptions("POST", query, body: "{}")
    #expect(fixture.head.status == 200)
    #expect(fixture.text == Self.created)
    #expect(outcome.service == .fcm && outcome.isAccepted)
    #expect(Array(outcome.token) == Array(Self.token.utf8))
    #expect(Array(outcome.topic) == Array("news".utf8))
    #expect(Array(outcome.project) == Array("demo".utf8))
    #expect(outcome.app == "com.example.app")
  }

  @Test func `a fraction of the time has three digits, as protobuf prints it`() throws {
    fixture.time.now = fixture.time.now + .milliseconds(10)
    try fixture.subscriptions("POST", "?topicName=news")
    #expect(fixture.json?["createTime"] == "2026-09-21T14:13:20.010Z")
  }

  @Test func `a second creation is ALREADY_EXISTS with 409, and changes nothing`() throws {
    try fixture.subscriptions("POST", "?topicName=news")
    fixture.time.now = fixture.time.now + .seconds(60)
    let outcome = try fixture.subscriptions("POST", "?topicName=news", body: "{}")
    #expect(fixture.head.status == 409)
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 409,
            "message": "Requested entity already exists",
            "status": "ALREADY_EXISTS"
          }
        }

        """)
    #expect(outcome.reason == "ALREADY_EXISTS" && outcome.googleStatus == "ALREADY_EXISTS")
    #expect(outcome.diagnosis?.code == .subscriptionExists)
    try fixture.subscriptions("GET", "/news")
    #expect(fixture.text == Self.created)
  }

  @Test func `a subscription is got, and one that is not there is NOT_FOUND without FcmError`()
    throws
  {
    let outcome = try fixture.subscriptions("GET", "/news")
    #expect(fixture.head.status == 404)
    #expect(fixture.text == Self.notFound)
    #expect(outcome.diagnosis?.code == .subscriptionUnknown)
    try fixture.subscriptions("POST", "?topicName=news")
    try fixture.subscriptions("GET", "/news")
    #expect(fixture.text == Self.created)
  }

  @Test func `a deletion answers an empty object, a second one NOT_FOUND`() throws {
    try fixture.subscriptions("POST", "?topicName=news")
    try fixture.subscriptions("DELETE", "/news")
    #expect(fixture.head.status == 200)
    #expect(fixture.text == "{}\n")
    try fixture.subscriptions("DELETE", "/news")
    #expect(fixture.text == Self.notFound)
    for query in ["?allowMissing=true", "?allow_missing=TRUE", "?allow_missing=1"] {
      try fixture.subscriptions("DELETE", "/news" + query)
      #expect(fixture.text == "{}\n")
    }
    try fixture.subscriptions("DELETE", "/news?allowMissing=false")
    #expect(fixture.text == Self.notFound)
  }

  @Test func `a patch answers what there is, and creates only where that is allowed`() throws {
    try fixture.subscriptions("PATCH", "/news", body: "{}")
    #expect(fixture.text == Self.notFound)
    try fixture.subscriptions("PATCH", "/news?allowMissing=true", body: "{}")
    #expect(fixture.text == Self.created)
    fixture.time.now = fixture.time.now + .seconds(60)
    for query in ["", "?allowMissing=true"] {
      try fixture.subscriptions("PATCH", "/news" + query, body: #"{"topicName":"news"}"#)
      #expect(fixture.text == Self.created)
    }
  }

  @Test func `a list is empty, or has every topic by name`() throws {
    try fixture.subscriptions("GET")
    #expect(fixture.text == "{}\n")
    for topic in ["b", "a"] { try fixture.subscriptions("POST", "?topicName=\(topic)") }
    try fixture.subscriptions("GET")
    let names = fixture.json?["topicSubscriptions"]?.arrayValue?.map { $0["topicName"] }
    #expect(names == ["a", "b"])
    #expect(fixture.json?["nextPageToken"] == nil)
  }

  @Test func `a list has pages, which stay right when subscriptions come and go`() throws {
    for topic in ["a", "b", "c", "d"] { try fixture.subscriptions("POST", "?topicName=\(topic)") }
    func page(_ query: String) throws -> (names: [String], next: String?) {
      try fixture.subscriptions("GET", query)
      let items = fixture.json?["topicSubscriptions"]?.arrayValue ?? []
      return (
        items.compactMap { $0["topicName"]?.stringValue },
        fixture.json?["nextPageToken"]?.stringValue
      )
    }
    let first = try page("?pageSize=2")
    #expect(first.names == ["a", "b"])
    let token = try #require(first.next)
    try fixture.subscriptions("DELETE", "/b")
    try fixture.subscriptions("POST", "?topicName=aa")
    let second = try page("?page_size=2&page_token=\(token)")
    #expect(second.names == ["c", "d"])
    #expect(second.next == nil)
  }

  @Test func `a page has 1000 subscriptions by default and 2000 at most`() throws {
    let workspace = fixture.workspaces.default
    for number in 0..<2000 {
      try workspace.topics.subscribe(
        Array(Self.token.utf8), to: "t\(number)", in: "demo", at: fixture.time.now)
    }
    for (query, count) in [("", 1000), ("?pageSize=0", 1000), ("?pageSize=9999", 2000)] {
      try fixture.subscriptions("GET", query)
      #expect(fixture.json?["topicSubscriptions"]?.arrayValue?.count == count)
    }
  }

  /// Google: Partial responses.
  @Test(arguments: [
    ("topicSubscriptions(topicName),nextPageToken", ["topicSubscriptions", "nextPageToken"], 1),
    ("topicSubscriptions/topicName,topic_subscriptions.create_time", ["topicSubscriptions"], 2),
    ("topicSubscriptions(topicName,createTime)", ["topicSubscriptions"], 2),
    ("topicSubscriptions", ["topicSubscriptions"], 3),
    ("topicSubscriptions/name,topicSubscriptions", ["topicSubscriptions"], 3),
    ("nextPageToken", ["nextPageToken"], nil), ("*", ["topicSubscriptions", "nextPageToken"], 3),
  ])
  func `fields chooses what of a page is answered`(
    _ mask: String, _ names: [String], _ count: Int?
  ) throws {
    for topic in ["a", "b"] { try fixture.subscriptions("POST", "?topicName=\(topic)") }
    try fixture.subscriptions("GET", "?pageSize=1&fields=\(mask)")
    #expect(fixture.head.status == 200)
    #expect(fixture.json?.objectValue?.members.map(\.key) == names)
    let first = fixture.json?.pointer("/topicSubscriptions/0")?.objectValue
    #expect(first?.members.count == count)
  }

  @Test func `fields chooses what of a subscription is answered, and nothing of a deletion`() throws
  {
    try fixture.subscriptions("POST", "?topicName=news&fields=topicName")
    #expect(fixture.text == "{\n  \"topicName\": \"news\"\n}\n")
    try fixture.subscriptions("GET", "/news?fields=create_time")
    #expect(fixture.json == ["createTime": "2026-09-21T14:13:20Z"])
    for mask in ["id", "topicName,data", "topicSubscriptions"] {
      let outcome = try fixture.subscriptions("GET", "/news?fields=\(mask)")
      #expect((fixture.head.status, outcome.googleStatus) == (400, "INVALID_ARGUMENT"))
      #expect(outcome.diagnosis?.code == .queryParameterUnknown)
    }
    try fixture.subscriptions("GET", "?fields=topicSubscriptions(id)")
    #expect(fixture.head.status == 400)
    // A refused mask changes nothing.
    try fixture.subscriptions("DELETE", "/news?fields=name")
    #expect(fixture.head.status == 400)
    try fixture.subscriptions("DELETE", "/news?fields=*")
    #expect((fixture.head.status, fixture.text) == (200, "{}\n"))
  }

  @Test func `faults of the query are explained as the query's`() throws {
    let outcome = try fixture.subscriptions("GET", "?pageSize=x")
    let what = outcome.diagnosis?.what ?? ""
    #expect(what.hasPrefix("fields of the query that do not fit the schema: 1, the first:"))
    #expect(outcome.diagnosis?.fix.contains("pageSize") == true)
  }

  @Test(arguments: ["?pageSize=-1", "?pageToken=!", "?pageToken=", "?pageToken=IA"])
  func `a page that cannot be is an invalid argument, an empty token is none`(_ query: String)
    throws
  {
    let outcome = try fixture.subscriptions("GET", query)
    #expect(fixture.head.status == (query == "?pageToken=" ? 200 : 400))
    #expect(outcome.diagnosis?.code == (query == "?pageToken=" ? nil : .pageInvalid))
  }

  @Test func `a parameter of the wrong type, and one that no method has, are said by name`() throws
  {
    try fixture.subscriptions("GET", "?pageSize=x")
    #expect(
      fixture.json?.pointer("/error/message") == "Invalid value at 'page_size' (TYPE_INT32), \"x\"")
    try fixture.subscriptions("DELETE", "/news?allowMissing=maybe")
    #expect(
      fixture.json?.pointer("/error/message")
        == "Invalid value at 'allow_missing' (TYPE_BOOL), \"maybe\"")
    try fixture.subscriptions("GET", "/news?allowMissing=true")
    #expect(fixture.head.status == 400)
    let text = fixture.json?.pointer("/error/message")?.stringValue ?? ""
    #expect(text.contains("Unknown name \"allowMissing\": Cannot bind query parameter."))
  }

  @Test(arguments: ["", "?topicName=", "?topicName=a%20b", "?topicName=/topics/news"])
  func `a name that is none is refused`(_ query: String) throws {
    let outcome = try fixture.subscriptions("POST", query, body: "{}")
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 400,
            "message": "Topic name contains invalid characters.",
            "status": "INVALID_ARGUMENT",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                  {
                    "field": "topic_name",
                    "description": "Topic name contains invalid characters."
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
    #expect(outcome.diagnosis?.code == .topicInvalid)
  }

  @Test func `a percent sign in a name is encoded in the path`() throws {
    try fixture.subscriptions("POST", "?topicName=50%25")
    #expect(fixture.json?["topicName"] == "50%")
    try fixture.subscriptions("GET", "/50%25")
    #expect(fixture.json?["topicName"] == "50%")
  }

  @Test func `a body is read as any other, and may be empty`() throws {
    try fixture.subscriptions("POST", "?topicName=news", body: #"{"topic":"a"}"#)
    #expect(
      fixture.json?.pointer("/error/message")
        == "Invalid JSON payload received. Unknown name \"topic\": Cannot find field.")
    let outcome = try fixture.subscriptions("POST", "?topicName=news", body: "{")
    #expect(outcome.diagnosis?.code == .bodyNotJSON)
    try fixture.subscriptions("POST", "?topicName=news")
    #expect(fixture.head.status == 200)
  }

  @Test func `without prettyPrint the answer is compact`() throws {
    try fixture.subscriptions("POST", "?topicName=news")
    try fixture.subscriptions("DELETE", "/news?prettyPrint=false")
    #expect(fixture.text == "{}")
  }

  // MARK: Tokens

  @Test func `a dead token is UNREGISTERED, a stranger's a mismatch, a malformed one invalid`()
    throws
  {
    fixture.register().state = .unregistered(since: fixture.time.now)
    let dead = try fixture.subscriptions("POST", "?topicName=news")
    #expect((fixture.head.status, dead.reason) == (404, "UNREGISTERED"))
    #expect(dead.diagnosis?.code == .tokenUnregisteredSince)
    fixture.register(ServiceFixture.token(1), project: "other")
    let other = try fixture.subscriptions(
      "POST", "?topicName=news", of: ServiceFixture.token(1))
    #expect((fixture.head.status, other.reason) == (403, "SENDER_ID_MISMATCH"))
    let apns = String(repeating: "a", count: 64)
    let malformed = try fixture.subscriptions("POST", "?topicName=news", of: apns)
    #expect(malformed.diagnosis?.code == .apnsTokenAtFCM)
    #expect(
      fixture.json?.pointer("/error/details/1/fieldViolations/0/field") == "parent")
  }

  @Test func `a token that nobody registered, and an installation ID, can be subscribed`() throws {
    for token in [ServiceFixture.token(1), "fid4567890123456789012"] {
      try fixture.subscriptions("POST", "?topicName=news", of: token)
      #expect(fixture.head.status == 200)
      try fixture.subscriptions("GET", "/news", of: token)
      #expect(fixture.head.status == 200)
    }
    #expect(fixture.tokens.undeclaredRecords().isEmpty)
    fixture.workspaces.default.policies.tokens = .strict
    let outcome = try fixture.subscriptions(
      "POST", "?topicName=other", of: ServiceFixture.token(1))
    #expect(outcome.diagnosis?.code == .tokenUnknown)
  }

  @Test func `the project's number names the same subscriptions`() throws {
    try fixture.subscriptions("POST", "?topicName=news", project: "123456789012")
    #expect(
      fixture.json?["name"]?.stringValue?.hasPrefix("projects/123456789012/registrations/") == true)
    try fixture.subscriptions("GET", "/news")
    #expect(fixture.text == Self.created)
  }

  /// Google: "One app instance can be subscribed to no more than 2000 topics".
  @Test func `a topic over the limit is RESOURCE_EXHAUSTED`() throws {
    fixture.workspaces.default.topics = TopicDirectory(topicLimit: 1)
    try fixture.subscriptions("POST", "?topicName=a")
    let outcome = try fixture.subscriptions("POST", "?topicName=b")
    #expect((fixture.head.status, outcome.reason) == (429, "RESOURCE_EXHAUSTED"))
    #expect(outcome.diagnosis?.code == .tooManyTopics)
  }

  // MARK: Credentials

  @Test func `errors about credentials name the method and its permission`() throws {
    let path = "/v1/projects/demo/registrations/x/topicSubscriptions"
    let outcome = fixture.request("POST", path)
    #expect(fixture.head.status == 401)
    #expect(outcome.reason == "CREDENTIALS_MISSING")
    #expect(
      fixture.json?.pointer("/error/details/0/metadata/method")
        == "google.firebase.fcm.v1.FcmService.CreateTopicSubscription")
    let denied = try ServiceFixture(mayPush: false)
    let refused = try denied.subscriptions("DELETE", "/news")
    #expect(refused.diagnosis?.code == .serviceAccountWithoutRole)
    let text = denied.json?.pointer("/error/message")?.stringValue ?? ""
    #expect(text.hasPrefix("Permission 'cloudmessaging.topicSubscriptions.delete' denied"))
    let foreign = try fixture.subscriptions("GET", project: "elsewhere")
    #expect(foreign.diagnosis?.code == .projectNotOfServiceAccount)
  }

  @Test func `a disabled API refuses subscriptions too`() throws {
    fixture.set { $0.isAPIEnabled = false }
    let outcome = try fixture.subscriptions("GET")
    #expect((fixture.head.status, outcome.reason) == (403, "SERVICE_DISABLED"))
  }
}
