import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct QueryParametersTests {
  private let fixture: ServiceFixture
  private let bearer: String

  init() throws {
    fixture = try ServiceFixture()
    bearer = try fixture.accessToken()
  }

  private func send(
    _ query: String,
    body: String = #"{"validate_only":true,"message":{"token":"\#(ServiceFixture.androidToken)"}}"#,
    hasBearer: Bool = true
  ) -> PushOutcome {
    fixture.request(
      "POST", "/v1/projects/demo/messages:send?\(query)",
      fields: hasBearer ? ["authorization": "Bearer \(bearer)"] : [:], body: body)
  }

  private static let name = "projects/demo/messages/fake_message_id"

  @Test(arguments: ["access_token", "oauth_token"])
  func `the credential may be in the query, discovery document`(_ name: String) {
    #expect(send("\(name)=\(bearer)", hasBearer: false).isAccepted)
  }

  @Test(arguments: ["prettyPrint=false", "prettyPrint=true&prettyPrint=false", "prettyPrint=0"])
  func `without prettyPrint bodies are compact, and of repeated parameters the last counts`(
    _ query: String
  ) {
    _ = send(query)
    #expect(fixture.text == #"{"name":"\#(Self.name)"}"#)
    _ = send(query, body: #"{"message":{"topic":"a b"}}"#)
    #expect(fixture.head.status == 400)
    #expect(fixture.text.hasPrefix(#"{"error":{"code":400,"message":"Topic name contains"#))
    #expect(!fixture.text.contains("\n"))
  }

  @Test(arguments: [
    "alt=json", "%24.xgafv=2", "$.xgafv=1", "key=k", "callback=f", "quotaUser=u", "uploadType=x",
    "upload_protocol=raw", "prettyPrint=true", "fields=name", "fields=*", "fields=",
    "fields=data,name",
  ])
  func `Google's other parameters change nothing`(_ query: String) {
    #expect(send(query).isAccepted)
    #expect(fixture.text == "{\n  \"name\": \"\(Self.name)\"\n}\n")
  }

  @Test(arguments: ["fields=data", "fields=androidV2,fcm_options"])
  func `a mask without the name leaves nothing`(_ query: String) {
    #expect(send(query).isAccepted)
    #expect(fixture.text == "{}\n")
  }

  @Test func `a field of the mask that does not exist is a violation`() throws {
    let outcome = send("fields=id")
    #expect(outcome.googleStatus == "INVALID_ARGUMENT")
    #expect(outcome.diagnosis?.code.rawValue == "query-parameter-unknown")
    #expect(
      fixture.json?.pointer("/error/details/0/fieldViolations/0/description")
        == "Error expanding 'fields' parameter. Cannot find matching fields for path 'id'.")
  }

  @Test func `a parameter that does not exist is a violation without a field`() throws {
    let outcome = send("validate_only=true")
    #expect(outcome.diagnosis?.code.rawValue == "query-parameter-unknown")
    #expect(
      fixture.json?["error"]?["message"]
        == """
        Invalid JSON payload received. Unknown name "validate_only": Cannot bind query parameter. \
        Field 'validate_only' could not be found in request message.
        """)
    #expect(fixture.json?.pointer("/error/details/0/fieldViolations/0/field") == nil)
  }
}
