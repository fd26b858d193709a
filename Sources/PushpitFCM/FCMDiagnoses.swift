import PushpitModel

/// The codes of diagnoses that only Google's side has.
extension DiagnosisCode {
  static let credentialMissing = DiagnosisCode("credential-missing")
  static let apiKeyAsBearer = DiagnosisCode("api-key-as-bearer")
  static let credentialUnknown = DiagnosisCode("credential-unknown")
  static let accessTokenExpired = DiagnosisCode("access-token-expired")
  static let scopeInsufficient = DiagnosisCode("scope-insufficient")
  static let grantRefused = DiagnosisCode("grant-refused")
  static let bodyTooLarge = DiagnosisCode("body-too-large")
  static let bodyNotJSON = DiagnosisCode("body-not-json")
  static let fieldInvalid = DiagnosisCode("field-invalid")
  static let targetMissing = DiagnosisCode("target-missing")
  static let tokenMalformed = DiagnosisCode("token-malformed")
  static let topicInvalid = DiagnosisCode("topic-invalid")
  static let conditionInvalid = DiagnosisCode("condition-invalid")
  static let dataKeyReserved = DiagnosisCode("data-key-reserved")
  static let packageNameMismatch = DiagnosisCode("package-name-mismatch")
  static let queryParameterUnknown = DiagnosisCode("query-parameter-unknown")
  static let apiDisabled = DiagnosisCode("api-disabled")
  static let quotaExceeded = DiagnosisCode("quota-exceeded")
  static let timeToLiveInvalid = DiagnosisCode("time-to-live-invalid")
  static let messageTooLarge = DiagnosisCode("message-too-large")
  static let legacyEndpoint = DiagnosisCode("legacy-endpoint")
}

/// The sentences for people about refusals of Google's side; none of them goes on the wire.
enum FCMDiagnoses {
  /// Tokens are shortened: a diagnosis is logged.
  static func short(_ token: some Collection<UInt8>) -> String {
    token.count <= 8
      ? String(decoding: token, as: UTF8.self)
      : String(decoding: token.prefix(8), as: UTF8.self) + "..."
  }

  /// The beginning of a text that a sender wrote.
  static func clipped(_ text: String, limit: Int = 100) -> String {
    text.count <= limit ? text : text.prefix(limit) + "..."
  }

  /// One of Google's sentences as the end of ours, which have no period.
  static func clause(_ text: String) -> String {
    clipped(text.hasSuffix(".") ? String(text.dropLast()) : text, limit: 200)
  }
}

/// Tokens.
extension FCMDiagnoses {
  static func apnsTokenAtFCM(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .apnsTokenAtFCM,
      what:
        "the token \(short(token)) is an APNs device token (\(token.count) hexadecimal digits), and FCM "
        + "sends to registration tokens only",
      fix: "send it to APNs, or register the app's FCM registration token "
        + "(in Flutter getToken(), not getAPNSToken())")
  }

  static func tokenMalformed(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what:
        "the token \(short(token)) (\(token.count) bytes) is neither an FCM registration token nor a "
        + "Firebase installation ID",
      fix: "store the token exactly as the app reports it: one colon, and more than 100 characters "
        + "after it; look for a column that cuts it")
  }

  static func tokenPercentEncoded(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what: "the token \(short(token)) is an FCM registration token whose colon is percent-encoded",
      fix: "decode the token before it is stored: %3A stands for a colon in URLs only")
  }

  static func tokenInFID(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what:
        "the token \(short(token)) is an FCM registration token, and message.fid takes a Firebase "
        + "installation ID of 22 characters",
      fix: "put it in message.token")
  }

  static func notificationKeyInFID(_ key: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what:
        "the text \(short(key)) is the notification key of a device group, and message.fid takes a "
        + "Firebase installation ID of 22 characters",
      fix: "put it in message.token")
  }

  static func tokenUnknown(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenUnknown,
      what:
        "nobody registered the token \(short(token)), and the workspace takes registered tokens only",
      fix: "create a device with this token, or start with --tokens open")
  }

  static func tokenUnregistered(_ token: [UInt8], since moment: Timestamp) -> Diagnosis {
    Diagnosis(
      .tokenUnregisteredSince,
      what:
        "the token \(short(token)) is unregistered since \(moment.rfc3339): the app was uninstalled",
      fix: "delete the token when FCM answers 404 with the error code UNREGISTERED")
  }

  static func tokenRotated(_ token: [UInt8], at moment: Timestamp) -> Diagnosis {
    Diagnosis(
      .sentToRotatedToken,
      what: "the token \(short(token)) was replaced by a newer token at \(moment.rfc3339)",
      fix: "store the token that the app reports in onTokenRefresh and delete the old one")
  }

  /// FCM expires the tokens of devices that were inactive for over 270 days (FCM: Best practices for
  /// registration token management): by the workspace's clock, or when a test says so.
  static func tokenExpired(_ token: [UInt8], since: Timestamp) -> Diagnosis {
    Diagnosis(
      .tokenExpiredSince,
      what:
        "the token \(short(token)) expired at \(since.rfc3339), as tokens do whose device did not "
        + "connect for 270 days",
      fix: "delete the token, and store the one that the app reports when it runs again")
  }

  static func tokenOfOtherProject(_ record: TokenRecord, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .tokenOfOtherProject,
      what:
        "the token \(short(record.token)) belongs to the project \(record.project ?? ""), and the sender "
        + "is of \(account.projectID)",
      fix: "send with the service account of the token's project, or build the app with the "
        + "google-services.json of \(account.projectID)")
  }

  static func tokenOfOtherWorkspace(_ record: TokenRecord, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .tokenOfOtherWorkspace,
      what:
        "the token \(short(record.token)) belongs to the workspace \(record.workspace), and the sender's "
        + "credential to \(account.workspace)",
      fix: "create the device in the workspace \(account.workspace), or send with a credential of "
        + "\(record.workspace)")
  }

  static func sentAfterClear(_ token: [UInt8]) -> PayloadWarning {
    PayloadWarning(
      code: "sent-after-clear", pointer: "/message/token", expected: "no push after logout",
      found: short(token), text: "the app of this token logged out; FCM still answers 200")
  }

  static func appleMessageToAndroid(_ token: [UInt8]) -> PayloadWarning {
    PayloadWarning(
      code: DiagnosisCode.androidTokenRegisteredAsIOS.rawValue, pointer: "/message/apns",
      expected: "a notification, data or android part", found: short(token),
      text: "the message has only a part for Apple's devices and the token is an Android device's, "
        + "which gets an empty message; look for the platform that your registry has with the token"
    )
  }

  static func tokenUsedForTwoProjects(
    _ record: TokenRecord, _ account: ServiceAccount
  ) -> PayloadWarning {
    let first = String(decoding: record.firstUse, as: UTF8.self)
    return PayloadWarning(
      code: "token-used-for-two-apps", pointer: "/message/token", expected: first,
      found: account.projectID,
      text: "this token was first used with \(first); a real token belongs to one project")
  }
}

/// Credentials.
extension FCMDiagnoses {
  static let credentialMissing = Diagnosis(
    .credentialMissing, what: "the request has no bearer token",
    fix: "send Authorization: Bearer with an access token of the token endpoint")

  static let bearerUnknown = Diagnosis(
    .credentialUnknown,
    what: "the bearer is no access token that this gateway knows",
    fix: "get the access token from this gateway: use its service-account.json, or point the "
      + "library's token endpoint at it; tokens are forgotten when the gateway stops, and the oldest "
      + "when it has granted over \(AccessTokens.limit) more")

  static func apiKeyAsBearer(isServerKey: Bool) -> Diagnosis {
    Diagnosis(
      .apiKeyAsBearer,
      what: isServerKey
        ? "the bearer is a server key of the legacy API, which was shut down in July 2024"
        : "the bearer is an API key (AIza...), which cannot send",
      fix:
        "send an OAuth 2 access token of a service account: exchange service-account.json at the "
        + "token endpoint")
  }

  static func accessTokenExpired(_ token: AccessToken) -> Diagnosis {
    Diagnosis(
      .accessTokenExpired,
      what: "the access token of \(token.account.clientEmail) expired at "
        + "\(token.expiresAt.rfc3339)",
      fix: "get a new access token before the old one's expires_in has passed")
  }

  static func scopeInsufficient(_ token: AccessToken) -> Diagnosis {
    Diagnosis(
      .scopeInsufficient,
      what: "the token's scopes do not allow sending: "
        + "\(clipped(token.scopes.joined(separator: " ")))",
      fix: "ask for https://www.googleapis.com/auth/firebase.messaging")
  }

  static func projectNotOfServiceAccount(
    _ project: String, _ account: ServiceAccount
  ) -> Diagnosis {
    Diagnosis(
      .projectNotOfServiceAccount,
      what: "the path names the project \(clipped(project)), and the bearer's service account is "
        + "of \(account.projectID)",
      fix: "write /v1/projects/\(account.projectID)/ in the path, or use the service account of "
        + "\(clipped(project))")
  }

  static func serviceAccountWithoutRole(
    _ account: ServiceAccount, _ method: GoogleMethod = .sendMessage
  ) -> Diagnosis {
    Diagnosis(
      .serviceAccountWithoutRole,
      what: "the account \(account.clientEmail) has no role with the permission "
        + method.permission,
      fix: "grant it the role Firebase Cloud Messaging API Admin; here, use a service account made "
        + "without --without-role")
  }

  static func selfSignedRefused(_ error: OAuthError) -> Diagnosis {
    Diagnosis(
      .credentialUnknown,
      what: "the bearer is a JSON web token that is not accepted: \(clause(error.description))",
      fix: "sign it with the key of a service account known here, for at most 60 minutes, with a "
        + "scope or with the audience https://fcm.googleapis.com/; ID tokens do not send")
  }

  static func grantRefused(_ error: OAuthError) -> Diagnosis {
    Diagnosis(
      .grantRefused, what: "the token endpoint refused the grant: \(clause(error.description))",
      fix: fix(for: error))
  }

  private static func fix(for error: OAuthError) -> String {
    if let fix = refreshFix(error) { return fix }
    return switch error {
    case .malformedAssertion: "send a JSON web token of three parts as assertion"
    case .invalidSignature: "sign with RS256 and the private key of this gateway's service account"
    case .unknownAccount:
      "use this gateway's service-account.json, or import yours: pushpit credentials import"
    case .missingIssuedAt, .missingExpiration: "set iat and exp in seconds since 1970"
    case .timeframe: "set iat to now and exp at most 3600 seconds later; check the sender's clock"
    case .emptyScope: "ask for https://www.googleapis.com/auth/firebase.messaging"
    case .audience:
      "set aud to https://oauth2.googleapis.com/token or to this gateway's token_uri; a further "
        + "name of the gateway is given by --host"
    case .subjectNotDelegated: "leave out sub: sending needs no delegation"
    default:
      "use the grant type urn:ietf:params:oauth:grant-type:jwt-bearer, or refresh_token for a user"
    }
  }

  static func scopeUnknown(_ scopes: [String]) -> PayloadWarning {
    PayloadWarning(
      code: "scope-unknown", expected: "https://www.googleapis.com/auth/firebase.messaging",
      found: clipped(scopes.joined(separator: " ")),
      text:
        "not every one of these scopes is known to Google, so the answer has an ID token and no "
        + "access token; check their spelling")
  }
}

/// Messages.
extension FCMDiagnoses {
  static let noTarget = Diagnosis(
    .targetMissing, what: "the message names no token, fid, topic or condition",
    fix: "set exactly one of them; an empty string does not count")

  static func topicInvalid(_ name: String) -> Diagnosis {
    Diagnosis(
      .topicInvalid, what: "the text \(clipped(name)) is no name of a topic",
      fix: "use 1 to 900 characters of a-z, A-Z, 0-9 and -_.~% without /topics/ before them")
  }

  static func conditionInvalid(_ text: String) -> Diagnosis {
    Diagnosis(
      .conditionInvalid, what: "the text \(clipped(text)) is no condition",
      fix: "write 'a' in topics, joined by && and ||, with parentheses and at most "
        + "\(TopicCondition.topicLimit) topics")
  }

  static func dataKeyReserved(_ key: String) -> Diagnosis {
    Diagnosis(
      .dataKeyReserved, what: "the key \(clipped(key)) of data is reserved",
      fix: "rename it: from, gcm, message_type, google.* and gcm.notification.* are FCM's own")
  }

  static func timeToLiveOutOfRange(_ text: String) -> Diagnosis {
    Diagnosis(
      .timeToLiveInvalid, what: "the ttl \(clipped(text)) is not between 0 and four weeks",
      fix: "use 0s to 2419200s")
  }

  static func webpushTTLInvalid(_ text: String) -> Diagnosis {
    Diagnosis(
      .timeToLiveInvalid, what: "the web push header TTL is \(clipped(text))",
      fix: "write a number of seconds without a unit")
  }

  static let bothAndroidConfigs = Diagnosis(
    .fieldInvalid, what: "the message has both android and android_v2",
    fix: "set one of them: android_v2 takes the place of android")

  static func apsTypeWrong(_ key: String, expected: String) -> Diagnosis {
    Diagnosis(
      .fieldInvalid, what: "the value of \(key) in apns.payload.aps is not \(expected)",
      fix: "write \(key) as \(expected) of JSON")
  }

  /// `platform` is the token's; nil where it is not known, and the largest counts.
  static func messageTooLarge(_ count: Int, limit: Int, on platform: Platform?) -> Diagnosis {
    let place = platform.map { "the token's platform, \($0.rawValue)" } ?? "its largest platform"
    return Diagnosis(
      .messageTooLarge,
      what:
        "the message has \(count) bytes of keys and values on \(place), and the limit is \(limit)",
      fix: "send an identifier and let the app fetch the rest")
  }
}
