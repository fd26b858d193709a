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
    ("GET", "/v1/projects/demo/messages:send", PushService.fcm),
    ("POST", "/v1/projects/demo/messages:send/", .fcm),
    ("POST", "/v1/projects//messages:send", .fcm), ("POST", "/v1/projects/a/b/messages:send", .fcm),
    ("POST", "/v1/projects/demo/messages:sendAll", .fcm), ("GET", "/token", .oauth),
    ("POST", "/iid/v1:batchAdd", .iid), ("GET", "/iid/info/x", .iid), ("POST", "/batch", .unknown),
    ("GET", "/", .unknown), ("POST", "", .unknown), ("POST", "/fcm/sendd", .fcm),
  ])
  func `anything else is nothing, of the service it looks like`(
    _ method: String, _ target: String, _ service: PushService
  ) {
    #expect(Self.endpoint(method, target) == .nothing(service))
  }

  @Test(arguments: [
    ("fcm.googleapis.com", "/v1/projects/demo/messages:send", true),
    ("FCM.googleapis.com:443", "/v1/projects/demo/messages:send", true),
    ("oauth2.googleapis.com", "/v1/projects/demo/messages:send", false),
    ("oauth2.googleapis.com", "/token", true), ("www.googleapis.com", "/oauth2/v4/token", true),
    ("accounts.google.com", "/o/oauth2/token", true), ("fcm.googleapis.com", "/token", false),
    ("gateway.test:2197", "/token", true), ("[::1]:2197", "/token", true), ("", "/token", true),
  ])
  func `Google's hosts have their own endpoints, any other name has all`(
    _ authority: String, _ target: String, _ isThere: Bool
  ) {
    let endpoint = Self.endpoint("POST", target, authority)
    #expect((endpoint != .nothing(.unknown)) == isThere)
  }

  @Test(arguments: [
    ("/v1/projects/x/message:send", "/v1/projects/{project}/messages:send"),
    ("/v1/project/x/messages:send", "/v1/projects/{project}/messages:send"),
    ("/tokens", "/token"), ("/oauth2/token", "/o/oauth2/token"),
    ("/oauth2/v3/token", "/oauth2/v4/token"),
  ])
  func `the nearest endpoint is found`(_ path: String, _ nearest: String) {
    #expect(NearestEndpoint.find(path: path.utf8).path == nearest)
  }

  @Test func `a long path is compared by its beginning`() {
    let path = "/token" + String(repeating: "x", count: 1_000_000)
    #expect(NearestEndpoint.find(path: path.utf8).distance <= NearestEndpoint.comparedCount)
  }
}
