import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let metadata = ConformanceEvidence.library(
    "google-auth and gcp-metadata ask so; Google: About VM metadata")
  private static let document = ConformanceEvidence.documented("discovery document sts.v1")
  private static let ours = "the text is ours: Google's depends on the kind of provider"

  static let workloads = ConformanceSection(
    title: "Workload identity and the metadata server",
    rules: [
      ConformanceRule(
        "a subject token at the STS",
        .json(
          200,
          #"{"access_token":"ya29.c.‹993 letters›","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3600}"#
        ),
        document
      ) { try $0.exchange() },
      ConformanceRule(
        "another grant type at the STS",
        .json(
          400,
          #"{"error":"unsupported_grant_type","error_description":"Invalid grant_type: x"}"#),
        .assumed("as at the token endpoint")
      ) { try $0.exchange(grantType: "x") },
      ConformanceRule(
        "an audience that is no provider",
        .json(
          400,
          #"{"error":"invalid_target","error_description":"The target service indicated by the \"audience\" parameters is invalid. This might either be because the pool or provider is disabled or deleted or because it doesn't exist."}"#
        ),
        .seen("many reports")
      ) { try $0.exchange(audience: "//other") },
      ConformanceRule(
        "a subject token of another provider",
        .json(
          400,
          #"{"error":"invalid_grant","error_description":"The subject token is not valid for this provider."}"#
        ),
        document, note: ours
      ) { try $0.exchange(subjectToken: "x") },
      ConformanceRule(
        "no subject token",
        .json(
          400,
          #"{"error":"invalid_request","error_description":"Invalid value for \"subject_token\"."}"#
        ),
        document, note: ours
      ) { try $0.exchange(subjectToken: "") },
      ConformanceRule(
        "an access token in a service account's name",
        .json(
          200,
          #"""
          {
            "accessToken": "ya29.c.‹993 letters›",
            "expireTime": "2026-09-21T14:23:20Z"
          }

          """#),
        .documented("IAM: Create short-lived credentials")
      ) { try $0.impersonate(ServiceFixture.email) },
      ConformanceRule(
        "an access token in another account's name",
        .json(
          403,
          #"""
          {
            "error": {
              "code": 403,
              "message": "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
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

          """#),
        .seen("many reports")
      ) { try $0.impersonate("other@demo") },
      ConformanceRule(
        "the first question to the metadata server",
        .metadata(200, "application/text", "computeMetadata/\n"), metadata
      ) { $0.request("GET", "/", fields: ["metadata-flavor": "Google"]) },
      ConformanceRule(
        "a question without `Metadata-Flavor`",
        .metadata(
          403, "text/plain; charset=UTF-8", "Missing required header: Metadata-Flavor: Google\n"),
        .documented("About VM metadata: such requests are refused"),
        note: "the body's words were not captured"
      ) { $0.request("GET", "/computeMetadata/v1/project/project-id") },
      ConformanceRule(
        "the project's ID", .metadata(200, "application/text", "demo"), metadata
      ) {
        $0.request(
          "GET", "/computeMetadata/v1/project/project-id", fields: ["metadata-flavor": "Google"])
      },
      ConformanceRule(
        "an access token of the machine's account",
        .metadata(
          200, "application/json",
          #"{"access_token":"ya29.c.‹993 letters›","expires_in":3599,"token_type":"Bearer"}"#),
        metadata
      ) {
        $0.request(
          "GET", "/computeMetadata/v1/instance/service-accounts/default/token",
          fields: ["metadata-flavor": "Google"])
      },
    ])
}

extension ExpectedAnswer {
  /// An answer of the metadata server.
  fileprivate static func metadata(_ status: Int, _ type: String, _ body: String) -> ExpectedAnswer
  {
    ExpectedAnswer(
      status: status,
      fields: [
        "content-type: \(type)", "metadata-flavor: Google", "server: Metadata Server for VM",
      ], body: body)
  }
}

extension ServiceFixture {
  /// Exchanges a subject token at the one provider there is.
  fileprivate func exchange(
    grantType: String = "urn:ietf:params:oauth:grant-type:token-exchange",
    audience: String = "//pool", subjectToken: String = "subject"
  ) throws -> PushOutcome {
    try credentials.add(
      ExternalAccount(audience: "//pool", subjectToken: "subject", account: account))
    let form = [
      "grant_type": grantType, "audience": audience, "subject_token": subjectToken,
      "scope": "https://www.googleapis.com/auth/cloud-platform",
      "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
    ]
    return request(
      "POST", "/v1/token",
      body: form.map { "\($0.key)=\(PercentCoding.encode($0.value))" }.joined(separator: "&"))
  }

  /// Asks for an access token in an account's name for ten minutes, with a good bearer or with this one.
  func impersonate(_ email: String, bearer: String? = nil) throws -> PushOutcome {
    var claims = goodClaims
    claims["scope"] = "https://www.googleapis.com/auth/cloud-platform"
    let bearer = try bearer ?? accessToken(claims)
    return request(
      "POST", "/v1/projects/-/serviceAccounts/\(email):generateAccessToken",
      fields: ["authorization": "Bearer \(bearer)"],
      body: #"{"scope":["https://www.googleapis.com/auth/firebase.messaging"],"lifetime":"600s"}"#)
  }
}
