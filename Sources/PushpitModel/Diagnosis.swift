/// Why a request was refused, for people: a code, what is wrong and what to do.
///
/// It is in the record, the log and the page, never in the vendor's answer.
package struct Diagnosis: Sendable, Equatable {
  package let code: DiagnosisCode
  /// One sentence that says what is wrong, with the values that show it.
  package let what: String
  /// One sentence that says what to do.
  package let fix: String

  package init(_ code: DiagnosisCode, what: String, fix: String) {
    self.code = code
    self.what = what
    self.fix = fix
  }
}

/// The codes of diagnoses, as the console spells them.
package struct DiagnosisCode: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  package static let fcmTokenAtAPNs = DiagnosisCode("fcm-token-at-apns")
  package static let apnsTokenAtFCM = DiagnosisCode("apns-token-at-fcm")
  package static let sandboxTokenAtProduction = DiagnosisCode("sandbox-token-at-production")
  package static let productionTokenAtSandbox = DiagnosisCode("production-token-at-sandbox")
  package static let tokenOfOtherTopic = DiagnosisCode("token-of-other-topic")
  package static let tokenOfOtherProject = DiagnosisCode("token-of-other-project")
  package static let tokenNotHex = DiagnosisCode("token-not-hex")
  package static let tokenUnregisteredSince = DiagnosisCode("token-unregistered-since")
  package static let tokenExpiredSince = DiagnosisCode("token-expired-since")
  package static let tokenUnknown = DiagnosisCode("token-unknown")
  package static let tokenOfOtherWorkspace = DiagnosisCode("token-of-other-workspace")
  package static let projectNotOfServiceAccount = DiagnosisCode("project-not-of-service-account")
  package static let serviceAccountWithoutRole = DiagnosisCode("service-account-without-role")
  package static let sentToRotatedToken = DiagnosisCode("sent-to-rotated-token")
  package static let androidTokenRegisteredAsIOS = DiagnosisCode("android-token-registered-as-ios")
  package static let pathOfNoEndpoint = DiagnosisCode("path-of-no-endpoint")
  package static let http1AtAPNs = DiagnosisCode("http1-at-apns")
}

/// What a vendor accepts and a phone may drop, or a contract forbids: it never changes an answer.
package struct PayloadWarning: Sendable, Equatable {
  /// `contract-...`, `lint-...`, or a code of its own.
  package let code: String
  /// JSON Pointer into the payload, empty for the whole.
  package let pointer: String
  package let expected: String
  package let found: String
  /// One sentence.
  package let text: String

  package init(
    code: String, pointer: String = "", expected: String = "", found: String = "", text: String
  ) {
    self.code = code
    self.pointer = pointer
    self.expected = expected
    self.found = found
    self.text = text
  }
}
