/// The errors of FCM itself: the target, the message, the token.
///
/// "Captured 2026" are envelopes taken from production on 2026-07-09; the order of the details
/// differs from one error to the next.
extension GoogleError {
  private static let invalidArgument = "Request contains an invalid argument."

  /// No target, or an empty one (captured 2026: BadRequest, then FcmError).
  static let recipientNotSet = invalid("Recipient of the message is not set.", field: "message")

  /// A token that is no registration token (captured 2026: FcmError, then BadRequest).
  static func tokenInvalid(field: String) -> GoogleError {
    let message = "The registration token is not a valid FCM registration token"
    return GoogleError(
      status: .invalidArgument, message: message,
      details: [
        .fcmError(.invalidArgument), .badRequest([FieldViolation(field, message)]),
      ])
  }

  /// A topic with a character outside `[a-zA-Z0-9-_.~%]` (captured 2026: the field is `message`).
  static let topicInvalid = invalid("Topic name contains invalid characters.", field: "message")

  /// A malformed condition (captured 2026: no details at all).
  static let conditionInvalid = GoogleError(status: .invalidArgument, message: invalidArgument)

  /// Too much payload (captured 2026: a BadRequest without violations, then FcmError).
  static let messageTooLarge = GoogleError(
    status: .invalidArgument, message: "Message is too large. The maximum is 4K (4096 bytes).",
    details: [.badRequest([]), .fcmError(.invalidArgument)])

  /// A reserved key in `data` (text seen live in many repositories; details not captured).
  static func dataKeyReserved(_ key: String, field: String) -> GoogleError {
    invalid("Invalid data payload key: \(key)", field: field)
  }

  /// A web push TTL that is no number (captured 2026).
  static let webpushTTLInvalid = invalid(
    "TTL must be a non-negative integer.", field: "message.webpush.headers.TTL")

  /// A time to live outside four weeks.
  ///
  /// Google documents the range, and no answer was captured: it has the form of the APS errors.
  static func timeToLiveOutOfRange(field: String) -> GoogleError {
    violation("The time to live must be between 0 and 2419200 seconds.", field: field)
  }

  /// Both generations of the Android configuration (Google's discovery document: such requests "will be
  /// rejected").
  ///
  /// No answer was captured: it has the form of the APS errors.
  static let bothAndroidConfigs = violation(
    "Only one of android and android_v2 may be set.", field: "message")

  /// A value of `aps` that has the wrong type (captured for badge: the general message, then the
  /// violation).
  static func apsTypeWrong(_ key: String, expected: String) -> GoogleError {
    violation(
      "Value type for APS key [\(key)] is \(expected).", field: "message.apns.payload.aps.\(key)")
  }

  /// A package name that is not the token's (Google: it "must match"; no answer was captured, it has
  /// the form of the APS errors).
  static func packageNameMismatch(field: String) -> GoogleError {
    violation("The package name of the registration token does not match.", field: field)
  }

  /// A token or installation that is not registered any more (captured 2026: FcmError only).
  static let unregistered = GoogleError(
    status: .notFound, message: "Requested entity was not found.",
    details: [.fcmError(.unregistered)])

  /// A token of another project (captured in issues of several senders).
  static let senderIDMismatch = GoogleError(
    status: .permissionDenied, message: "SenderId mismatch",
    details: [.fcmError(.senderIDMismatch)])

  /// The common form: the message is also the violation, BadRequest comes before FcmError.
  private static func invalid(_ message: String, field: String) -> GoogleError {
    GoogleError(
      status: .invalidArgument, message: message,
      details: [.badRequest([FieldViolation(field, message)]), .fcmError(.invalidArgument)])
  }

  private static func violation(_ description: String, field: String) -> GoogleError {
    GoogleError(
      status: .invalidArgument, message: invalidArgument,
      details: [.badRequest([FieldViolation(field, description)]), .fcmError(.invalidArgument)])
  }
}
