import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

@Suite struct TokenExchangeTests {
  private static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
  private static let path =
    "/v1/projects/-/serviceAccounts/\(ServiceFixture.email):generateAccessToken"
  private static let goodBody =
    #"{"delegates":null,"scope":["https://www.googleapis.com/auth/firebase.messaging"],"#
    + #""lifetime":"600s"}"#

  private static func fixture() throws -> ServiceFixture {
    let fixture = try ServiceFixture()
    try fixture.credentials.add(
      ExternalAccount(audience: "//pool", subjectToken: "subject", account: fixture.account))
    return fixture
  }

  private static let good = [
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "audience": "//pool",
    "scope": cloudPlatform, "subject_token": "subject",
    "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
    "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
  ]

  @discardableResult
  private func exchange(
    _ fixture: ServiceFixture, _ changes: [String: String] = [:]
  ) -> PushOutcome {
    let form = Self.good.merging(changes) { $1 }
      .map { "\($0.key)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    return fixture.request("POST", "/v1/token", body: form)
  }

  private func federated(_ fixture: ServiceFixture, scope: String = cloudPlatform) throws -> String
  {
    exchange(fixture, ["scope": scope])
    return try #require(fixture.json?["access_token"]?.stringValue)
  }

  @discardableResult
  private func impersonate(
    _ fixture: ServiceFixture, bearer: String, path: String = path, body: String = goodBody
  ) -> PushOutcome {
    fixture.request("POST", path, fields: ["authorization": "Bearer \(bearer)"], body: body)
  }

  @Test func `a subject token is exchanged, and the result acts as the account`() throws {
    let fixture = try Self.fixture()
    let outcome = exchange(fixture)
    let token = try #require(fixture.json?["access_token"]?.stringValue)
    #expect(
      fixture.text == #"{"access_token":"\#(token)","issued_token_type":"#
        + #""urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","#
        + #""expires_in":3600}"#)
    #expect(outcome.isAccepted && outcome.credential?.kind == .subjectToken)
    #expect(impersonate(fixture, bearer: token).isAccepted)
    let own = try #require(fixture.json?["accessToken"]?.stringValue)
    #expect(
      fixture.text == """
        {
          "accessToken": "\(own)",
          "expireTime": "2026-09-21T14:23:20Z"
        }

        """)
    #expect(try fixture.send(bearer: own).isAccepted)
    fixture.workspaces.default.clock.offset = .seconds(600)
    #expect(try fixture.send(bearer: own).reason == "ACCESS_TOKEN_EXPIRED")
  }

  @Test(arguments: [
    ("grant_type", "x", "unsupported_grant_type", "Invalid grant_type: x"),
    (
      "requested_token_type", "x", "invalid_request",
      "Invalid value for \\\"requested_token_type\\\"."
    ),
    ("subject_token_type", "x", "invalid_request", "Invalid value for \\\"subject_token_type\\\"."),
    ("subject_token", "", "invalid_request", "Invalid value for \\\"subject_token\\\"."),
    (
      "audience", "//other", "invalid_target",
      "The target service indicated by the \\\"audience\\\" parameters is invalid. This might either "
        + "be because the pool or provider is disabled or deleted or because it doesn't exist."
    ),
    (
      "subject_token", "x", "invalid_grant", "The subject token is not valid for this provider."
    ),
    ("scope", "", "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
  ])
  func `an exchange that is wrong is refused, in the order of the table`(
    _ name: String, _ value: String, _ error: String, _ text: String
  ) throws {
    let fixture = try Self.fixture()
    let outcome = exchange(fixture, [name: value])
    #expect(fixture.head.status == 400)
    #expect(fixture.text == #"{"error":"\#(error)","error_description":"\#(text)"}"#)
    #expect(outcome.reason == error)
    #expect(outcome.diagnosis?.code == .tokenRequestRefused)
  }

  @Test func `impersonation needs a bearer, its scope, and the account it is bound to`() throws {
    let fixture = try Self.fixture()
    #expect(fixture.request("POST", Self.path, body: Self.goodBody).reason == "CREDENTIALS_MISSING")
    let narrow = try federated(fixture, scope: ServiceFixture.messagingScope)
    #expect(impersonate(fixture, bearer: narrow).reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
    let token = try federated(fixture)
    let other = "/v1/projects/-/serviceAccounts/other@demo:generateAccessToken"
    #expect(
      impersonate(fixture, bearer: token, path: other).diagnosis?.code == .impersonationRefused)
    #expect(
      fixture.text == """
        {
          "error": {
            "code": 403,
            "message": "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may \
        not exist).",
            "status": "PERMISSION_DENIED",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "IAM_PERMISSION_DENIED",
                "domain": "iam.googleapis.com",
                "metadata": {
                  "permission": "iam.serviceAccounts.getAccessToken"
                }
              }
            ]
          }
        }

        """)
    fixture.workspaces.default.clock.offset = .seconds(3600)
    #expect(impersonate(fixture, bearer: token).reason == "ACCESS_TOKEN_EXPIRED")
  }

  @Test(arguments: [
    "", "{}", #"{"scope":[]}"#, #"{"scope":["x"]}"#,
    #"{"scope":["https://www.googleapis.com/auth/iam"],"lifetime":"3601s"}"#,
    #"{"scope":["https://www.googleapis.com/auth/iam"],"lifetime":"0s"}"#,
    #"{"scope":["https://www.googleapis.com/auth/iam"],"lifetime":60}"#,
  ])
  func `impersonation needs known scopes and a lifetime up to an hour`(_ body: String) throws {
    let fixture = try Self.fixture()
    let token = try federated(fixture)
    #expect(impersonate(fixture, bearer: token, body: body).reason == "INVALID_ARGUMENT")
    #expect(fixture.head.status == 400)
  }
}
