import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitFCM

/// Heads of sends are told by their bytes when they are written as usual, which may change nothing.
@Suite struct PlainSendTests {
  private static let methods = ["POST", "GET", "post", "POSTS", ""]
  private static let authorities = [
    "", "localhost", "localhost:2197", "127.0.0.1:1", "[::1]:2197", "gateway.test:", "a:b", "a:1:2",
    "fcm.googleapis.com", "fcm.googleapis.com:443", "FCM.googleapis.com", "fcm.mtls.googleapis.com",
    "oauth2.googleapis.com", "iid.googleapis.com:443", "www.googleapis.com", "accounts.google.com",
    "sts.googleapis.com", "metadata.google.internal", "xfcm.googleapis.com", "googleapis.com", "é",
  ]
  private static let targets = [
    "/v1/projects/demo/messages:send", "/v1/projects/123456789012/messages:send",
    "/v1/projects/-/messages:send", "/v1/projects//messages:send", "/v1/projects/messages:send",
    "/v1/projects/a/b/messages:send", "/v1/projects/d%65mo/messages:send",
    "/v1/projects/demo/messages%3Asend", "/v1/projects/demo/messages:send?", "/v1/projects/demo",
    "/v1/projects/demo/messages:send?fields=name", "/v1/projects/a?b/messages:send",
    "/v1/projects/demo/messages:send/", "/v2/projects/demo/messages:send", "", "/", "/token",
    "/v1/projects/example.com:demo/messages:send", "/v1/projects/é/messages:send",
  ]

  private static func head(_ method: String, _ authority: String, _ target: String) -> RequestHead {
    RequestHead(method: method, target: target, authority: authority)
  }

  @Test func `a plain send is for what its endpoint is found to be`() {
    var plainCount = 0
    for method in Self.methods {
      for authority in Self.authorities {
        for target in Self.targets {
          let head = Self.head(method, authority, target)
          guard let send = PlainSend(head) else { continue }
          plainCount += 1
          #expect(send.isSame(as: head))
          #expect(GoogleEndpoint(head) == .send(project: send.project), "\(authority) \(target)")
        }
      }
    }
    // Eight authorities with three targets.
    #expect(plainCount == 24)
  }

  @Test func `another method, host or path is not the same`() throws {
    let send = try #require(PlainSend(Self.head("POST", "localhost", Self.targets[0])))
    #expect(!send.isSame(as: Self.head("GET", "localhost", Self.targets[0])))
    #expect(!send.isSame(as: Self.head("POST", "localhosts", Self.targets[0])))
    #expect(!send.isSame(as: Self.head("POST", "localhost", Self.targets[1])))
  }

  @Test func `sends to one project and to another are kept apart`() throws {
    let fixture = try ServiceFixture()
    fixture.register()
    let bearer = try fixture.accessToken()
    let body = PlainMessageTests.plain[0]
    for _ in 0..<2 {
      for (project, status) in [("demo", 200), ("123456789012", 200), ("other", 403)] {
        let outcome = try fixture.send(body, project: project, bearer: bearer)
        #expect(outcome.status == status)
        #expect(outcome.project.elementsEqual(project.utf8))
      }
    }
  }
}
