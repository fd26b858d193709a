import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let reference = ConformanceEvidence.documented("Instance ID server reference")
  private static let groupGuide = ConformanceEvidence.documented("Send messages to device groups")
  private static let tables = ConformanceEvidence.library("the tables of errors in the SDKs")
  private static let token = ServiceFixture.androidToken
  private static let tokenInPath = PercentCoding.encode(ServiceFixture.androidToken)

  private static let badRequest = ExpectedAnswer.json(400, #"{"error":"BadRequest"}"#)
  private static let unknownInstance = ExpectedAnswer.json(
    404, #"{"error":"No information found about this instance id."}"#)

  static let instanceID = ConformanceSection(
    title: "Topics: the Instance ID API",
    rules: [
      ConformanceRule(
        "`batchAdd`, results in the order of the tokens",
        .json(
          200,
          #"{"results":[{},{"error":"NOT_FOUND"},{"error":"INVALID_ARGUMENT"},{"error":"PERMISSION_DENIED"}]}"#
        ),
        tables, note: "which of the table's errors another project's token gets is assumed"
      ) { fixture in
        fixture.register(ServiceFixture.token(1)).state = .unregistered(since: fixture.time.now)
        fixture.register(ServiceFixture.token(2), project: "other")
        return try fixture.batch(
          "batchAdd", [token, ServiceFixture.token(1), "x", ServiceFixture.token(2)])
      },
      ConformanceRule(
        "`batchRemove` of one that is not subscribed",
        .json(200, #"{"results":[{}]}"#),
        .assumed("the reference has no error for it")
      ) { try $0.batch("batchRemove", [token]) },
      ConformanceRule(
        "one topic more than a token may have",
        .json(200, #"{"results":[{"error":"TOO_MANY_TOPICS"}]}"#), tables
      ) { fixture in
        fixture.workspaces.default.topics = TopicDirectory(topicLimit: 0)
        return try fixture.batch("batchAdd", [token])
      },
      ConformanceRule(
        "a batch of 1001 tokens", badRequest, .documented("Instance ID server reference: 1000"),
        note: "which of the known errors it is was not captured"
      ) { try $0.batch("batchAdd", Array(repeating: token, count: 1001)) },
      ConformanceRule(
        "a batch without topic", badRequest, .seen("senders"),
        note: "which of the known errors it is was not captured"
      ) {
        try $0.instanceID(
          "POST", "/iid/v1:batchAdd", body: #"{"registration_tokens":["\#(token)"]}"#)
      },
      ConformanceRule("`rel/topics`", .json(200, #"{}"#), reference) {
        try $0.instanceID("POST", "/iid/v1/\(tokenInPath)/rel/topics/news")
      },
      ConformanceRule(
        "`rel/topics` for a text that is no token",
        .json(400, #"{"error":"InvalidToken"}"#), .seen("senders")
      ) { try $0.instanceID("POST", "/iid/v1/x/rel/topics/news") },
      ConformanceRule(
        "`info`",
        .json(
          200,
          #"{"application":"com.example.app","authorizedEntity":"123456789012","scope":"*","platform":"ANDROID"}"#
        ),
        reference, note: "version and signer of the app are left out: no simulated device has them"
      ) { fixture in
        fixture.register()
        return try fixture.instanceID("GET", "/iid/info/\(tokenInPath)")
      },
      ConformanceRule(
        "`info` with `details=true`, without `info/` in the path",
        .json(
          200,
          #"{"application":"com.example.app","authorizedEntity":"123456789012","scope":"*","platform":"ANDROID","rel":{"topics":{"news":{"addDate":"2026-09-21"}}}}"#
        ),
        .library("kreait/firebase-php")
      ) { fixture in
        fixture.register()
        try fixture.batch("batchAdd", [token])
        return try fixture.instanceID("GET", "/iid/\(tokenInPath)?details=true")
      },
      ConformanceRule("`info` of a token that nobody knows", unknownInstance, .seen("senders")) {
        try $0.instanceID("GET", "/iid/info/\(tokenInPath)")
      },
      ConformanceRule(
        "`batchImport`",
        .json(
          200,
          #"{"results":[{"apns_token":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","status":"OK","registration_token":"made"},{"apns_token":"x","status":"Internal Server Error"}]}"#
        ),
        reference
      ) { fixture in
        fixture.service.importToken = { _, _ in Array("made".utf8) }
        return try fixture.instanceID(
          "POST", "/iid/v1:batchImport",
          body:
            #"{"application":"com.example.app","sandbox":true,"apns_tokens":["\#(String(repeating: "a", count: 64))","x"]}"#
        )
      },
      ConformanceRule(
        "no credential at the Instance ID API",
        .json(401, #"{"error":"MissingAuthorization"}"#), .seen("senders"),
        note: "that it answers this and not the page is assumed"
      ) { $0.request("POST", "/iid/v1:batchAdd", fields: ["access_token_auth": "true"]) },
      ConformanceRule(
        "a bearer without `access_token_auth: true`", unauthorized,
        .documented(
          "Manage topics: bearers need the header; firebase-tools issue 4222 has the page"),
        note: "that it answers the page is assumed"
      ) {
        try $0.request(
          "GET", "/iid/info/x", fields: ["authorization": "Bearer \($0.accessToken())"])
      },
      ConformanceRule(
        "a bearer of nobody at the Instance ID API", unauthorized,
        .seen("firebase-tools issue 4222")
      ) { try $0.instanceID("GET", "/iid/info/x", bearer: "ya29.nobody") },
    ])

  private static let unauthorized = ExpectedAnswer.page(
    401,
    #"""
    <HTML>
    <HEAD>
    <TITLE>Unauthorized</TITLE>
    </HEAD>
    <BODY BGCOLOR="#FFFFFF" TEXT="#000000">
    <H1>Unauthorized</H1>
    <H2>Error 401</H2>
    </BODY>
    </HTML>

    """#)
  private static let notificationKey = ExpectedAnswer.json(
    200, #"{"notification_key":"APA91b‹134 letters›"}"#)
  private static let noGroup = ExpectedAnswer.json(
    400, #"{"error":"notification_key not found"}"#)

  static let groups = ConformanceSection(
    title: "Device groups: `/fcm/notification`",
    rules: [
      ConformanceRule("`create`", notificationKey, groupGuide) { try $0.createGroup() },
      ConformanceRule(
        "`create` of a name that there is",
        .json(400, #"{"error":"notification_key already exists"}"#), .seen("senders")
      ) { fixture in
        _ = try fixture.createGroup()
        return try fixture.createGroup()
      },
      ConformanceRule(
        "`create` without a good token",
        .json(400, #"{"error":"no valid registration ids"}"#), .seen("senders")
      ) { try $0.createGroup(["x"]) },
      ConformanceRule(
        "`create` with 21 tokens",
        .json(400, #"{"error":"too many registration ids"}"#),
        .documented("Send messages to device groups: 20"), note: "the text was not captured"
      ) { try $0.createGroup((0...20).map { ServiceFixture.token($0) }) },
      ConformanceRule("`add` with a key of nobody", noGroup, .seen("senders")) {
        try $0.group([
          "operation": "add", "notification_key": "x", "registration_ids": [.string(token)],
        ])
      },
      ConformanceRule(
        "an operation that there is not", badRequest, .assumed("as at the Instance ID API")
      ) { try $0.group(["operation": "destroy"]) },
      ConformanceRule("`GET` of a group's key by its name", notificationKey, groupGuide) {
        fixture in
        _ = try fixture.createGroup()
        return try fixture.instanceID(
          "GET", "/fcm/notification?notification_key_name=anna", projectID: "123456789012")
      },
      ConformanceRule(
        "the `project_id` of another project", unauthorized, .assumed("as a credential of nobody")
      ) { try $0.group(["operation": "create"], projectID: "1") },
      ConformanceRule(
        "a message to a notification key", .toAndroid, groupGuide,
        note: "the name's form was not captured; it is a token's"
      ) { fixture in
        let group = try fixture.createGroup()
        return try fixture.send(to: String(decoding: group.token, as: UTF8.self))
      },
    ])
}

extension ServiceFixture {
  /// Makes a device group with the name anna.
  fileprivate func createGroup(_ tokens: [String] = [androidToken]) throws -> PushOutcome {
    try group([
      "operation": "create", "notification_key_name": "anna",
      "registration_ids": .array(tokens.map { .string($0) }),
    ])
  }
}
