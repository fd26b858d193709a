import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// The codes of diagnoses that only Google's side has.
extension DiagnosisCode {
  static let credentialMissing = DiagnosisCode("credential-missing")
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
  static let timeToLiveInvalid = DiagnosisCode("time-to-live-invalid")
  static let messageTooLarge = DiagnosisCode("message-too-large")
  static let legacyEndpoint = DiagnosisCode("legacy-endpoint")
}

/// The sentences for people about refusals of Google's side; none of them goes on the wire.
enum FCMDiagnoses {
  /// Tokens are shortened: a diagnosis is logged.
  private static func short(_ token: some Collection<UInt8>) -> String {
    token.count <= 8
      ? String(decoding: token, as: UTF8.self)
      : String(decoding: token.prefix(8), as: UTF8.self) + "..."
  }

  /// The beginning of a text that a sender wrote.
  private static func clipped(_ text: String) -> String {
    text.count <= 100 ? text : text.prefix(100) + "..."
  }
}

/// Tokens.
extension FCMDiagnoses {
  static func apnsTokenAtFCM(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .apnsTokenAtFCM,
      what: "\(short(token)) is an APNs device token (\(token.count) hexadecimal digits), and FCM "
        + "sends to registration tokens only.",
      fix: "Send it to APNs, or register the app's FCM registration token "
        + "(in Flutter getToken(), not getAPNSToken()).")
  }

  static func tokenMalformed(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what: "\(short(token)) (\(token.count) bytes) is neither an FCM registration token nor a "
        + "Firebase installation ID.",
      fix: "Store the token exactly as the app reports it: one colon, and more than 100 characters "
        + "after it; look for a column that cuts it.")
  }

  static func tokenPercentEncoded(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what: "\(short(token)) is an FCM registration token whose colon is percent-encoded.",
      fix: "Decode the token before it is stored: %3A stands for a colon in URLs only.")
  }

  static func tokenInFID(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenMalformed,
      what: "\(short(token)) is an FCM registration token, and message.fid takes a Firebase "
        + "installation ID of 22 characters.",
      fix: "Put it in message.token.")
  }

  static func tokenUnknown(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenUnknown,
      what: "Nobody registered \(short(token)), and the workspace takes registered tokens only.",
      fix: "Create a device with this token, or start with --tokens open.")
  }

  static func tokenUnregistered(_ token: [UInt8], since moment: Timestamp) -> Diagnosis {
    Diagnosis(
      .tokenUnregisteredSince,
      what: "\(short(token)) is unregistered since \(moment.rfc3339): the app was uninstalled.",
      fix: "Delete the token when FCM answers 404 with the error code UNREGISTERED.")
  }

  static func tokenRotated(_ token: [UInt8], at moment: Timestamp) -> Diagnosis {
    Diagnosis(
      .sentToRotatedToken,
      what: "\(short(token)) was replaced by a newer token at \(moment.rfc3339).",
      fix: "Store the token that the app reports in onTokenRefresh and delete the old one.")
  }

  static func tokenOfOtherProject(_ record: TokenRecord, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .tokenOfOtherProject,
      what: "\(short(record.token)) belongs to the project \(record.project ?? ""), and the sender "
        + "is of \(account.projectID).",
      fix: "Send with the service account of the token's project, or build the app with the "
        + "google-services.json of \(account.projectID).")
  }

  static func tokenOfOtherWorkspace(_ record: TokenRecord, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .tokenOfOtherWorkspace,
      what: "\(short(record.token)) belongs to the workspace \(record.workspace), and the sender's "
        + "credential to \(account.workspace).",
      fix: "Create the device in the workspace \(account.workspace), or send with a credential of "
        + "\(record.workspace).")
  }

  static func sentAfterClear(_ token: [UInt8]) -> PayloadWarning {
    PayloadWarning(
      code: "sent-after-clear", pointer: "/message/token", expected: "no push after logout",
      found: short(token), text: "The app of this token logged out; FCM still answers 200.")
  }

  static func tokenUsedForTwoProjects(
    _ record: TokenRecord, _ account: ServiceAccount
  ) -> PayloadWarning {
    let first = String(decoding: record.firstUse, as: UTF8.self)
    return PayloadWarning(
      code: "token-used-for-two-apps", pointer: "/message/token", expected: first,
      found: account.projectID,
      text: "This token was first used with \(first); a real token belongs to one project.")
  }
}

/// Credentials.
extension FCMDiagnoses {
  static let credentialMissing = Diagnosis(
    .credentialMissing, what: "The request has no bearer token.",
    fix: "Send Authorization: Bearer with an access token of the token endpoint.")

  static let bearerUnknown = Diagnosis(
    .credentialUnknown,
    what: "The bearer is no access token that this gateway granted.",
    fix: "Get the access token from this gateway: use its service-account.json, or point the "
      + "library's token endpoint at it.")

  static func accessTokenExpired(_ token: AccessToken) -> Diagnosis {
    Diagnosis(
      .accessTokenExpired,
      what: "The access token of \(token.account.clientEmail) expired at "
        + "\(token.expiresAt.rfc3339).",
      fix: "Get a new access token before the old one's expires_in has passed.")
  }

  static func scopeInsufficient(_ token: AccessToken) -> Diagnosis {
    Diagnosis(
      .scopeInsufficient,
      what: "The token's scopes do not allow sending: "
        + "\(clipped(token.scopes.joined(separator: " "))).",
      fix: "Ask for https://www.googleapis.com/auth/firebase.messaging.")
  }

  static func projectNotOfServiceAccount(
    _ project: String, _ account: ServiceAccount
  ) -> Diagnosis {
    Diagnosis(
      .projectNotOfServiceAccount,
      what: "The path names the project \(clipped(project)), and the bearer's service account is "
        + "of \(account.projectID).",
      fix: "Send to /v1/projects/\(account.projectID)/messages:send, or use the service account of "
        + "\(clipped(project)).")
  }

  static func serviceAccountWithoutRole(_ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .serviceAccountWithoutRole,
      what: "\(account.clientEmail) has no role with the permission "
        + "cloudmessaging.messages.create.",
      fix: "Grant it the role Firebase Cloud Messaging API Admin; here, use a service account made "
        + "without --without-role.")
  }

  static func selfSignedRefused(_ error: OAuthError) -> Diagnosis {
    Diagnosis(
      .credentialUnknown,
      what: "The bearer is a JSON web token that is not accepted: \(error.description)",
      fix: "Sign it with the key of a service account known here, for at most 60 minutes, with a "
        + "scope or with the audience https://fcm.googleapis.com/; ID tokens do not send.")
  }

  static func grantRefused(_ error: OAuthError) -> Diagnosis {
    Diagnosis(
      .grantRefused, what: "The token endpoint refused the grant: \(clipped(error.description))",
      fix: fix(for: error))
  }

  private static func fix(for error: OAuthError) -> String {
    switch error {
    case .malformedAssertion: "Send a JSON web token of three parts as assertion."
    case .invalidSignature: "Sign with RS256 and the private key of this gateway's service account."
    case .unknownAccount:
      "Use this gateway's service-account.json, or import yours: pushpit credentials import."
    case .missingIssuedAt, .missingExpiration: "Set iat and exp in seconds since 1970."
    case .timeframe: "Set iat to now and exp at most 3600 seconds later; check the sender's clock."
    case .emptyScope: "Ask for https://www.googleapis.com/auth/firebase.messaging."
    case .audience:
      "Set aud to https://oauth2.googleapis.com/token or to this gateway's token_uri; a further "
        + "name of the gateway is given by --host."
    case .subjectNotDelegated: "Leave out sub: sending needs no delegation."
    default: "Use the grant type urn:ietf:params:oauth:grant-type:jwt-bearer."
    }
  }

  static func scopeUnknown(_ scopes: [String]) -> PayloadWarning {
    PayloadWarning(
      code: "scope-unknown", expected: "https://www.googleapis.com/auth/firebase.messaging",
      found: clipped(scopes.joined(separator: " ")),
      text: "Google does not know every one of these scopes, so the answer has an ID token and no "
        + "access token; check their spelling.")
  }
}

/// Paths and bodies.
extension FCMDiagnoses {
  static let bodyTooLarge = Diagnosis(
    .bodyTooLarge, what: "The body is longer than the gateway takes.",
    fix: "A message has at most 4096 bytes; send each in a request of its own.")

  static let legacyEndpoint = Diagnosis(
    .legacyEndpoint, what: "The legacy endpoint /fcm/send was shut down in July 2024.",
    fix: "Send to POST /v1/projects/{project}/messages:send with an access token.")

  static func pathOfNoEndpoint(_ head: RequestHead) -> Diagnosis {
    let method = clipped(String(decoding: head.method, as: UTF8.self))
    let path = clipped(String(decoding: head.path, as: UTF8.self))
    let nearest = NearestEndpoint.find(path: head.path)
    if head.path.elementsEqual("/batch".utf8) {
      return Diagnosis(
        .pathOfNoEndpoint, what: "FCM's batch endpoint was shut down in June 2024.",
        fix: "Send each message in a request of its own to POST \(nearest.path); newer versions of "
          + "the SDKs do (sendEach in place of sendAll).")
    }
    let what =
      nearest.distance == 0
      ? "\(method) \(path) is no endpoint of this host."
      : "There is no endpoint at \(method) \(path)."
    return Diagnosis(
      .pathOfNoEndpoint, what: what, fix: "The nearest endpoint is POST \(nearest.path).")
  }

  static func bodyNotJSON(_ error: JSONSyntaxError) -> Diagnosis {
    Diagnosis(
      .bodyNotJSON, what: "The body is no JSON: \(error.description).",
      fix: "Send a JSON object with the key message.")
  }

  static func fieldsInvalid(_ violations: [FieldViolation]) -> Diagnosis {
    let first = violations.first?.description ?? ""
    return Diagnosis(
      .fieldInvalid,
      what: "\(violations.count) of the body's fields do not fit the schema, the first: "
        + clipped(first),
      fix: "Values of data are strings; custom keys go into data or apns.payload, and every other "
        + "key is one of the FCM v1 reference.")
  }
}

/// Messages.
extension FCMDiagnoses {
  static let noTarget = Diagnosis(
    .targetMissing, what: "The message names no token, fid, topic or condition.",
    fix: "Set exactly one of them; an empty string does not count.")

  static func topicInvalid(_ name: String) -> Diagnosis {
    Diagnosis(
      .topicInvalid, what: "\(clipped(name)) is no name of a topic.",
      fix: "Use 1 to 900 characters of a-z, A-Z, 0-9 and -_.~% without /topics/ before them.")
  }

  static func conditionInvalid(_ text: String) -> Diagnosis {
    Diagnosis(
      .conditionInvalid, what: "\(clipped(text)) is no condition.",
      fix: "Write 'a' in topics, joined by && and ||, with parentheses and at most "
        + "\(TopicCondition.topicLimit) topics.")
  }

  static func dataKeyReserved(_ key: String) -> Diagnosis {
    Diagnosis(
      .dataKeyReserved, what: "The key \(clipped(key)) of data is reserved.",
      fix: "Rename it: from, gcm, message_type, google.* and gcm.notification.* are FCM's own.")
  }

  static func timeToLiveOutOfRange(_ text: String) -> Diagnosis {
    Diagnosis(
      .timeToLiveInvalid, what: "The ttl \(clipped(text)) is not between 0 and four weeks.",
      fix: "Use 0s to 2419200s.")
  }

  static func webpushTTLInvalid(_ text: String) -> Diagnosis {
    Diagnosis(
      .timeToLiveInvalid, what: "The web push header TTL is \(clipped(text)).",
      fix: "Write a number of seconds without a unit.")
  }

  static let badgeNotANumber = Diagnosis(
    .fieldInvalid, what: "The badge in apns.payload.aps is no number.",
    fix: "Write the badge as a JSON number.")

  static func messageTooLarge(_ count: Int, limit: Int) -> Diagnosis {
    Diagnosis(
      .messageTooLarge,
      what: "Notification and data have \(count) bytes of keys and values, the limit is \(limit).",
      fix: "Send an identifier and let the app fetch the rest.")
  }
}
