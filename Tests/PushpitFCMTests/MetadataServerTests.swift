import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct MetadataServerTests {
  private static let root = "/computeMetadata/v1"
  private static let accounts = root + "/instance/service-accounts"

  private func get(_ fixture: ServiceFixture, _ path: String) -> PushOutcome {
    fixture.request("GET", path, fields: ["metadata-flavor": "Google"])
  }

  /// google-auth asks so whether there is a metadata server.
  @Test func `the first question is answered with the flavor`() throws {
    let fixture = try ServiceFixture()
    #expect(get(fixture, "/").isAccepted)
    #expect(fixture.head.status == 200)
    #expect(fixture.head.fields.text("metadata-flavor") == "Google")
  }

  @Test(arguments: ["/", root + "/project/project-id", accounts + "/default/token"])
  func `a request without the flavor is forbidden`(_ path: String) throws {
    let fixture = try ServiceFixture()
    let outcome = fixture.request("GET", path)
    #expect(fixture.head.status == 403)
    #expect(!outcome.isAccepted)
    #expect(outcome.diagnosis?.code == .metadataFlavorMissing)
    fixture.request("GET", path, fields: ["metadata-flavor": "google"])
    #expect(fixture.head.status == 403)
  }

  @Test(arguments: [
    (root + "/project/project-id", "demo"),
    (root + "/project/numeric-project-id", "123456789012"),
    (root + "/universe/universe-domain", "googleapis.com"),
    (root + "/instance/", "service-accounts/\n"),
    (accounts + "/", "default/\nsender@demo.iam.gserviceaccount.com/\n"),
    (accounts + "/default/email", "sender@demo.iam.gserviceaccount.com"),
    (accounts + "/sender%40demo.iam.gserviceaccount.com/aliases", "default\n"),
    (accounts + "/default/scopes", "https://www.googleapis.com/auth/cloud-platform\n"),
  ])
  func `what libraries ask for is text`(_ path: String, _ text: String) throws {
    let fixture = try ServiceFixture()
    #expect(get(fixture, path).isAccepted)
    #expect(fixture.text == text)
    #expect(fixture.head.fields.text("content-type") == "application/text")
  }

  @Test func `an account is described whole, alone and in the list`() throws {
    let fixture = try ServiceFixture()
    let one =
      #"{"aliases":["default"],"email":"sender@demo.iam.gserviceaccount.com","#
      + #""scopes":["https://www.googleapis.com/auth/cloud-platform"]}"#
    _ = get(fixture, Self.accounts + "/default/?recursive=true")
    #expect(fixture.text == one)
    #expect(fixture.head.fields.text("content-type") == "application/json")
    _ = get(fixture, Self.accounts + "/?recursive=true")
    #expect(fixture.text == #"{"default":\#(one),"\#(ServiceFixture.email)":\#(one)}"#)
  }

  @Test func `a token sends, unless its scopes are for something else`() throws {
    let fixture = try ServiceFixture()
    fixture.workspaces.default.fcm.accessTokenLifetime = .seconds(120)
    _ = get(fixture, Self.accounts + "/default/token")
    let token = try #require(fixture.json?["access_token"]?.stringValue)
    #expect(
      fixture.text == #"{"access_token":"\#(token)","expires_in":119,"token_type":"Bearer"}"#)
    #expect(try fixture.send(bearer: token).isAccepted)
    let scope = "https://www.googleapis.com/auth/firebase,https://www.googleapis.com/auth/iam"
    _ = get(fixture, Self.accounts + "/default/token?scopes=\(scope)")
    let other = try #require(fixture.json?["access_token"]?.stringValue)
    #expect(try fixture.send(bearer: other).reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
  }

  @Test(arguments: ["/instance/zone", "/instance/service-accounts/x/token", "/project/attributes"])
  func `what the server has not is not found, with a diagnosis`(_ path: String) throws {
    let fixture = try ServiceFixture()
    let outcome = get(fixture, Self.root + path)
    #expect(fixture.head.status == 404)
    #expect(outcome.diagnosis?.code == .metadataUnknown)
  }
}
