/// The errors of quotas, of switched-off APIs and of what stands behind FCM.
extension GoogleError {
  /// The API is switched off in the sender's project.
  ///
  /// FCM's own captures are old and have only the Help; the order is that of Google's other APIs
  /// since, which share the front end.
  static func apiDisabled(projectNumber: String) -> GoogleError {
    let url =
      "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project="
      + projectNumber
    let message =
      "Firebase Cloud Messaging API has not been used in project \(projectNumber) before or it is "
      + "disabled. Enable it by visiting \(url) then retry. If you enabled this API recently, wait "
      + "a few minutes for the action to propagate to our systems and retry."
    return GoogleError(
      status: .permissionDenied, message: message,
      details: [
        .errorInfo(
          reason: "SERVICE_DISABLED", domain: "googleapis.com",
          metadata: [
            Metadatum(key: "service", value: "fcm.googleapis.com"),
            Metadatum(key: "consumer", value: "projects/" + projectNumber),
            Metadatum(key: "activationUrl", value: url),
          ]),
        .localizedMessage(message),
        .help(description: "Google developers console API activation", url: url),
      ])
  }

  /// Too many requests of a project (text seen in the wild): the front end's, without FcmError.
  ///
  /// The names of metric and limit were not captured.
  static func projectQuotaExceeded(projectNumber: String, retryAfter: Int) -> GoogleError {
    let metric = "Send requests"
    let limit = "Send requests per minute"
    let consumer = "project_number:" + projectNumber
    return GoogleError(
      status: .resourceExhausted,
      message: "Quota exceeded for quota metric '\(metric)' and limit '\(limit)' of service "
        + "'fcm.googleapis.com' for consumer '\(consumer)'.",
      details: [
        .errorInfo(
          reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com",
          metadata: [
            Metadatum(key: "service", value: "fcm.googleapis.com"),
            Metadatum(key: "consumer", value: "projects/" + projectNumber),
          ])
      ], retryAfter: retryAfter)
  }

  /// Too many messages to one device (Google: "An extension of type google.rpc.QuotaFailure is
  /// returned to specify which quota was exceeded"; its words were not captured).
  static func deviceQuotaExceeded(retryAfter: Int) -> GoogleError {
    quotaExceeded(
      "Resource has been exhausted (e.g. check quota).", subject: "device",
      description: "Device message rate exceeded.", retryAfter: retryAfter)
  }

  /// Too many messages to one topic (text of ntfy issue 289).
  static func topicQuotaExceeded(retryAfter: Int) -> GoogleError {
    quotaExceeded(
      "Topic quota exceeded.", subject: "topic", description: "Topics message rate exceeded.",
      retryAfter: retryAfter)
  }

  private static func quotaExceeded(
    _ message: String, subject: String, description: String, retryAfter: Int
  ) -> GoogleError {
    GoogleError(
      status: .resourceExhausted, message: message,
      details: [
        .fcmError(.quotaExceeded), .quotaFailure(subject: subject, description: description),
      ], retryAfter: retryAfter)
  }

  /// A fault inside FCM (code of Google's page on error codes, text common to its APIs).
  static let internalError = GoogleError(
    status: .internalError, message: "Internal error encountered.",
    details: [.fcmError(.internalError)])

  /// FCM is overloaded (the same evidence); without a number of seconds there is no Retry-After.
  static func unavailable(retryAfter: Int?) -> GoogleError {
    GoogleError(
      status: .unavailable, message: "The service is currently unavailable.",
      details: [.fcmError(.unavailable)], retryAfter: retryAfter)
  }
}
