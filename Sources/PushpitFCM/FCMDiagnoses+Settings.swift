import PushpitModel

/// Quotas, settings and the query.
extension FCMDiagnoses {
  static func apiDisabled(_ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .apiDisabled,
      what: "the Firebase Cloud Messaging API is disabled in the project \(account.projectID), by "
        + "the workspace's setting fcmApiEnabled",
      fix: "enable the API in Google's console, here with the setting fcmApiEnabled true; keep the "
        + "tokens, this 403 is not about them")
  }

  static func quotaExceeded(_ subject: String, perMinute: Int, wait: Int) -> Diagnosis {
    Diagnosis(
      .quotaExceeded,
      what: "\(clipped(subject)) had its \(perMinute) messages of this minute (the workspace's "
        + "setting fcmQuotas)",
      fix: "wait for the \(wait) seconds of Retry-After, then send again more slowly")
  }

  static func deviceQuotaExceeded(_ token: [UInt8], perMinute: Int, wait: Int) -> Diagnosis {
    quotaExceeded("the token \(short(token))", perMinute: perMinute, wait: wait)
  }

  static func packageNameMismatch(_ name: String, _ record: TokenRecord) -> Diagnosis {
    Diagnosis(
      .packageNameMismatch,
      what: "restricted_package_name is \(clipped(name)), and the token \(short(record.token)) is "
        + "of the app \(record.app ?? "")",
      fix: "leave restricted_package_name out, or send to a token of that app; the token itself is "
        + "good")
  }

  static func unknownQueryParameter(_ name: String) -> Diagnosis {
    Diagnosis(
      .queryParameterUnknown, what: "the query has a parameter \(clipped(name)) that no API has",
      fix: "put the fields of the request into its body")
  }

  static func unknownMaskField(_ path: String) -> Diagnosis {
    Diagnosis(
      .queryParameterUnknown,
      what: "the parameter fields names \(clipped(path)), which the answer cannot have",
      fix: "leave fields out, or write fields=name")
  }
}
