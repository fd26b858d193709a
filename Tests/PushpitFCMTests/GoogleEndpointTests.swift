import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct GoogleEndpointTests {
  private static func endpoint(
    _ method: String, _ target: String, _ authority: String = "localhost"
  ) -> GoogleEndpoint {
    GoogleEndpoint(RequestHead(method: method, target: target, authority: authority))
  }

  @Test(arguments: [
    "/v1/projects/demo/messages:send", "/v1/projects/demo/messages%3Asend",
    "/v1/projects/demo/messages%3asend?alt=json", "/v1/projects/d%65mo/messages:send",
  ])
  func `the path of a send is decoded before routing`(_ target: String) {
    #expect(Self.endpoint("POST", target) == .send(project: "demo"))
  }

  @Test(arguments: [
    ("GET", "/v1/projects/demo/messages:send"), ("POST", "/v1/projects/demo/messages:send/"),
    ("POST", "/v1/projects//messages:send"), ("POST", "/v1/projects/a/b/messages:send"),
    ("POST", "/v1/projects/demo/messages:sendAll"), ("GET", "/token"),
    ("GET", "/iid/v1:batchAdd/"), ("POST", "/iid/info/x"), ("GET", "/batch"), ("POST", "/"),
    ("PUT", "/fcm/notification"), ("POST", "/iid/v1/x/rel/topics/"), ("POST", "/iid/v1:batch"),
    ("PUT", "/v1/projects/p/registrations/t/topicSubscriptions"),
    ("DELETE", "/v1/projects/p/registrations/t/topicSubscriptions"),
    ("POST", "/v1/projects/p/registrations/t/topicSubscriptions/a"),
    ("GET", "/v1/projects/p/registrations/t/topicSubscriptions/a/b"),
    ("GET", "/v1/projects/p/registrations//topicSubscriptions"),
    ("GET", "/revoke"), ("GET", "/v1/token"), ("PUT", "/tokeninfo"), ("GET", "/computeMetadata/v2"),
    ("POST", "/v1/projects/-/serviceAccounts/:generateAccessToken"),
    ("POST", ""), ("POST", "/fcm/sendd"),
  ])
  func `anything else is nothing, of no service`(_ method: String, _ target: String) {
    #expect(Self.endpoint(method, target) == .nothing)
    #expect(Self.endpoint(method, target).service == .unknown)
  }

  @Test(arguments: [
    ("fcm.googleapis.com", "/v1/projects/demo/messages:send", true),
    ("FCM.googleapis.com:443", "/v1/projects/demo/messages:send", true),
    ("oauth2.googleapis.com", "/v1/projects/demo/messages:send", false),
    ("iid.googleapis.com", "/iid/v1:batchAdd", true),
    ("fcm.googleapis.com", "/iid/v1:batchAdd", false),
    ("fcm.googleapis.com", "/fcm/notification", true),
    ("iid.googleapis.com", "/fcm/notification", false),
    ("fcm.mtls.googleapis.com", "/v1/projects/p/registrations/t/topicSubscriptions", true),
    ("gateway.test", "/iid/v1:batchAdd", true),
    ("oauth2.googleapis.com", "/token", true), ("www.googleapis.com", "/oauth2/v4/token", true),
    ("accounts.google.com", "/o/oauth2/token", true), ("fcm.googleapis.com", "/token", false),
    ("sts.googleapis.com", "/v1/token", true), ("oauth2.googleapis.com", "/v1/token", false),
    ("oauth2.googleapis.com", "/revoke", true), ("accounts.google.com", "/o/oauth2/revoke", true),
    ("www.googleapis.com", "/oauth2/v1/tokeninfo", true), ("fcm.googleapis.com", "/revoke", false),
    (
      "iamcredentials.googleapis.com", "/v1/projects/-/serviceAccounts/a@b:generateAccessToken",
      true
    ),
    ("iam.googleapis.com", "/v1/projects/-/serviceAccounts/a@b:generateAccessToken", false),
    ("sts.googleapis.com", "/v1/projects/demo/messages:send", false),
    ("sts.googleapis.com", "/token", false), ("iamcredentials.googleapis.com", "/token", false),
    ("iamcredentials.googleapis.com", "/v1/projects/demo/messages:send", false),
    ("metadata.google.internal", "/v1/projects/demo/messages:send", false),
    ("metadata.google.internal:80", "/fcm/notification", false),
    ("sts.googleapis.com", "/iid/v1:batchAdd", false), ("fcm.googleapis.com", "/batch", true),
    ("oauth2.googleapis.com", "/batch", false),
    ("gateway.test:2197", "/token", true), ("[::1]:2197", "/token", true), ("", "/token", true),
  ])
  func `Google's hosts have their own endpoints, any other name has all`(
    _ authority: String, _ target: String, _ isThere: Bool
  ) {
    let endpoint = Self.endpoint("POST", target, authority)
    #expect((endpoint != .nothing) == isThere)
  }

  @Test func `the batch endpoint of old is FCM's, and has a page with 404 and an explanation`()
    throws
  {
    let fixture = try ServiceFixture()
    let outcome = fixture.request("POST", "/batch", authority: "fcm.googleapis.com")
    #expect(fixture.head.status == 404)
    #expect(outcome.service == .fcm)
    #expect(outcome.diagnosis?.what == "the batch endpoint of FCM was shut down in June 2024")
  }

  @Test(
    arguments: [
      ("POST", "/topicSubscriptions", .create), ("GET", "/topicSubscriptions?pageSize=1", .list),
      ("GET", "/topicSubscriptions/a%25b", .get(topic: "a%b")),
      ("DELETE", "/topicSubscriptions/a", .delete(topic: "a")),
      ("PATCH", "/topicSubscriptions/a", .patch(topic: "a")),
    ] as [(String, String, TopicSubscriptionCall)])
  func `subscriptions have a call for each method, and segments are decoded one by one`(
    _ method: String, _ rest: String, _ call: TopicSubscriptionCall
  ) {
    #expect(
      Self.endpoint(method, "/v1/projects/demo/registrations/x%3Ay%2Fz" + rest)
        == .registration(
          .subscriptions(project: "demo", registration: Array("x:y/z".utf8), call)))
  }

  @Test(
    arguments: [
      ("POST", "/iid/v1:batchAdd", .batchAdd), ("POST", "/iid/v1%3AbatchRemove", .batchRemove),
      ("POST", "/iid/v1:batchImport", .batchImport),
      ("POST", "/iid/v1/x%3Ay/rel/topics/a", .subscribe(token: Array("x:y".utf8), topic: "a")),
      ("GET", "/iid/info/x?details=true", .info(token: [UInt8(ascii: "x")])),
      ("GET", "/iid/x?details=true", .info(token: [UInt8(ascii: "x")])),
    ] as [(String, String, InstanceIDCall)])
  func `the Instance ID API has its calls`(
    _ method: String, _ target: String, _ call: InstanceIDCall
  ) {
    let endpoint = Self.endpoint(method, target)
    #expect(endpoint == .registration(.instanceID(call)))
    #expect(endpoint.service == .iid)
  }

  @Test(arguments: [
    ("/v1/projects/x/message:send", "/v1/projects/{project}/messages:send"),
    ("/v1/project/x/messages:send", "/v1/projects/{project}/messages:send"),
    ("/tokens", "/token"), ("/oauth2/token", "/oauth2/v4/token"),
    ("/oauth2/v3/token", "/oauth2/v4/token"), ("/o/token", "/o/oauth2/token"),
    ("/v1/messages:send", "/v1/projects/{project}/messages:send"),
    ("/", "/v1/projects/{project}/messages:send"),
    ("/notify", "/v1/projects/{project}/messages:send"), ("/3/devices", "/3/device/{device token}"),
  ])
  func `the nearest endpoint is found`(_ path: String, _ nearest: String) {
    #expect(NearestEndpoint.find(method: "POST", path: path.utf8).path == nearest)
  }

  @Test(arguments: [
    ("/batch", "POST /v1/projects/{project}/messages:send"),
    ("/iid/v1:batchAd", "POST /iid/v1:batchAdd"),
    ("/fcm/notifications", "POST /fcm/notification"),
    ("/v1/projects/p/registrations/t/topicSubscription", "{token}/topicSubscriptions"),
  ])
  func `an endpoint of Google's that is not served says what to do instead`(
    _ path: String, _ fix: String
  ) {
    let found = FCMDiagnoses.pathOfNoEndpoint(RequestHead(method: "POST", target: path))
    #expect(found.fix.contains(fix), "\(found.fix)")
    #expect(found.code == .pathOfNoEndpoint)
  }

  @Test(arguments: [
    (
      "DELETE", "/topicSubscriptions", "there is no endpoint at DELETE",
      "DELETE /v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic};"
    ),
    (
      "POST", "/topicSubscriptions/a", "there is no endpoint at POST",
      "POST /v1/projects/{project}/registrations/{token}/topicSubscriptions;"
    ),
    (
      "PUT", "/topicSubscriptions", "takes POST and GET, and not PUT",
      "POST /v1/projects/{project}/registrations/{token}/topicSubscriptions;"
    ),
    (
      "PATCH", "/topicSubscription/a", "there is no endpoint at PATCH",
      "PATCH /v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic};"
    ),
    (
      "GET", "/topicSubscriptions", "has no endpoint at this host",
      "GET /v1/projects/{project}/registrations/{token}/topicSubscriptions;"
    ),
  ])
  func `a wrong verb is said to be it, and the fix names a verb that the endpoint takes`(
    _ method: String, _ rest: String, _ what: String, _ fix: String
  ) {
    let found = FCMDiagnoses.pathOfNoEndpoint(
      RequestHead(method: method, target: "/v1/projects/p/registrations/t" + rest))
    #expect(found.what.contains(what), "\(found.what)")
    #expect(found.fix.contains(fix), "\(found.fix)")
  }

  @Test(arguments: [
    (
      "GET", "/v1/projects/p/messages:send",
      "the endpoint at /v1/projects/p/messages:send takes POST"
    ),
    ("POST", "/v1/projects//messages:send", "there is no endpoint at POST"),
    ("POST", "/iid/info/x", "the endpoint at /iid/info/x takes GET, and not POST"),
    ("PUT", "/fcm/notification", "takes POST and GET, and not PUT"),
    ("POST", "/iid/v1:batchAdd", "has no endpoint at this host"),
  ])
  func `only a good verb and path are a matter of the host`(
    _ method: String, _ path: String, _ what: String
  ) {
    let found = FCMDiagnoses.pathOfNoEndpoint(RequestHead(method: method, target: path))
    #expect(found.what.contains(what), "\(found.what)")
  }

  @Test func `a long path is compared by its beginning`() {
    let path = "/token" + String(repeating: "x", count: 1_000_000)
    let nearest = NearestEndpoint.find(method: "POST", path: path.utf8)
    #expect(nearest.distance <= NearestEndpoint.comparedCount)
  }
}
