import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// `code: what` and `fix: fix` are how every diagnosis is shown, so both go on in lower case.
@Suite struct FCMDiagnosesFormTests {
  private static let account = ServiceAccount(
    projectID: "demo", projectNumber: "1", clientEmail: "Sender@demo.iam.gserviceaccount.com",
    privateKeyID: "k1", publicKey: [])
  private static let token = Array(ServiceFixture.androidToken.utf8)
  private static var record: TokenRecord {
    TokenRecord(token: token, kind: .fcm, project: "other")
  }
  private static let moment = Timestamp(milliseconds: 0)

  /// Explanations of tokens, paths and bodies, each with ordinary values.
  static let ofRequests: [Diagnosis] = [
    FCMDiagnoses.apnsTokenAtFCM(token), FCMDiagnoses.tokenMalformed(token),
    FCMDiagnoses.tokenPercentEncoded(token), FCMDiagnoses.tokenInFID(token),
    FCMDiagnoses.tokenUnknown(token), FCMDiagnoses.tokenUnregistered(token, since: moment),
    FCMDiagnoses.tokenRotated(token, at: moment), FCMDiagnoses.tokenExpired(token, since: moment),
    FCMDiagnoses.tokenOfOtherProject(record, account),
    FCMDiagnoses.tokenOfOtherWorkspace(record, account), FCMDiagnoses.bodyTooLarge,
    FCMDiagnoses.legacyEndpoint,
    FCMDiagnoses.fieldsInvalid([FieldViolation("message.x", "Unknown name \"x\".")]),
    FCMDiagnoses.noTarget, FCMDiagnoses.topicInvalid("/topics/a"),
    FCMDiagnoses.conditionInvalid("A and B"), FCMDiagnoses.dataKeyReserved("from"),
    FCMDiagnoses.timeToLiveOutOfRange("-1s"), FCMDiagnoses.webpushTTLInvalid("1s"),
    FCMDiagnoses.apsTypeWrong("badge", expected: "a number"),
    FCMDiagnoses.parametersInvalid([FieldViolation("page_size", "Invalid value.")]),
    FCMDiagnoses.messageTooLarge(5000, limit: 4096, on: nil),
    FCMDiagnoses.messageTooLarge(5000, limit: 4096, on: .android),
    FCMDiagnoses.notificationKeyInFID(token),
    FCMDiagnoses.bothAndroidConfigs, FCMDiagnoses.apiDisabled(account),
    FCMDiagnoses.quotaExceeded("the topic a", perMinute: 1, wait: 60),
    FCMDiagnoses.deviceQuotaExceeded(token, perMinute: 1, wait: 60),
    FCMDiagnoses.packageNameMismatch("a.b", record), FCMDiagnoses.unknownQueryParameter("x"),
    FCMDiagnoses.unknownMaskField("x"),
  ]

  /// Explanations of paths that have no endpoint.
  static let ofPaths: [Diagnosis] = [
    "/batch", "/v1/project", "/token", "/iid/v1:batchAd", "/fcm/notifications",
  ].map { FCMDiagnoses.pathOfNoEndpoint(RequestHead(method: "POST", target: $0)) }

  /// Explanations of topics and device groups.
  static let ofRegistrations: [Diagnosis] = [
    FCMDiagnoses.subscriptionExists(token, .init(topic: "a", createdAt: moment)),
    FCMDiagnoses.subscriptionNotFound(token, "a"),
    FCMDiagnoses.tooManyTopics(token, .token(limit: 1)),
    FCMDiagnoses.tooManyTopics(token, .workspace(limit: 1)),
    FCMDiagnoses.pageInvalid("the page token"), FCMDiagnoses.accessTokenAuthMissing,
    FCMDiagnoses.instanceUnknown(token), FCMDiagnoses.groupUnknown("anna"),
    FCMDiagnoses.groupTooLarge(limit: 20), FCMDiagnoses.tooManyGroups(limit: 1),
    FCMDiagnoses.groupWithoutTokens(nil), FCMDiagnoses.notificationKeyUnknown(token),
    FCMDiagnoses.tooManyRegistrationIDs(1001),
    FCMDiagnoses.groupWithoutTokens(FCMDiagnoses.tokenMalformed(token)),
    FCMDiagnoses.groupOfOtherProject(token, account),
    FCMDiagnoses.projectIDFieldWrong(nil, account),
    FCMDiagnoses.projectIDFieldWrong("demo", account),
  ]

  /// Explanations of credentials.
  static let ofCredentials: [Diagnosis] =
    [
      FCMDiagnoses.credentialMissing, FCMDiagnoses.bearerUnknown,
      FCMDiagnoses.apiKeyAsBearer(isServerKey: true),
      FCMDiagnoses.apiKeyAsBearer(isServerKey: false),
      FCMDiagnoses.projectNotOfServiceAccount("demo", account),
      FCMDiagnoses.serviceAccountWithoutRole(account), FCMDiagnoses.metadataFlavorMissing,
      FCMDiagnoses.metadataUnknown("/computeMetadata/v1/x"), FCMDiagnoses.impersonationScope(["x"]),
      FCMDiagnoses.impersonationDenied("a@b", account),
      FCMDiagnoses.impersonationArgument("scope"),
    ]
    + [
      OAuthError.tokenInvalid, .noTokenToDescribe, .tokenGone, .noTokenToRevoke, .unknownTarget,
      .wrongSubjectToken, .exchangeParameter("x"), .emptyScope,
    ].map(FCMDiagnoses.oauthRefused)
    + [
      OAuthError.missingClient, .unknownClient, .wrongClientSecret, .missingRefreshToken,
      .unknownRefreshToken, .refreshTokenRevoked, .scopeNotConsented,
    ].map(FCMDiagnoses.grantRefused)
    + [
      OAuthError.malformedAssertion, .invalidSignature, .unknownAccount, .timeframe, .emptyScope,
      .audience, .missingIssuedAt, .subjectNotDelegated, .unsupportedGrantType("x"),
    ].flatMap { [FCMDiagnoses.grantRefused($0), FCMDiagnoses.selfSignedRefused($0)] }

  @Test(arguments: ofRequests + ofRegistrations + ofPaths + ofCredentials)
  func `what and fix begin in lower case and have no period`(diagnosis: Diagnosis) {
    for text in [diagnosis.what, diagnosis.fix] {
      #expect(text.first?.isLowercase == true, "\(text)")
      #expect(!text.hasSuffix("."), "\(text)")
      #expect(!text.contains("  "), "\(text)")
    }
  }

  @Test func `a body that is no JSON is explained in the same form`() {
    guard let error = LenientJSONReader.read(Array("{".utf8)).error else { return }
    let what = FCMDiagnoses.bodyNotJSON(error).what
    #expect(what.hasPrefix("the body is no JSON: ") && !what.hasSuffix("."))
  }
}
