/// The errors of topic subscriptions: of their statuses only 404 and 409 are documented, and no answer
/// was captured, so texts are those that Google's APIs have for a status without one of its own.
extension GoogleError {
  /// The token is subscribed already (Google's reference: 409 `ALREADY_EXISTS`).
  static let subscriptionExists = GoogleError(
    status: .alreadyExists, message: "Requested entity already exists")

  /// The token is not subscribed (Google's reference: 404 `NOT_FOUND`).
  ///
  /// Without an FcmError: with UNREGISTERED SDKs would take the token for dead.
  static let subscriptionNotFound = GoogleError(
    status: .notFound, message: "Requested entity was not found.")

  /// A name that is none, or none at all: assumed to be the sentence of a send, under the field's name.
  static let subscriptionTopicInvalid = GoogleError(
    status: .invalidArgument, message: topicInvalid.message,
    details: [
      .badRequest([FieldViolation("topic_name", topicInvalid.message)]),
      .fcmError(.invalidArgument),
    ])

  /// More topics than a token may have (Google: at most 2000), or than the gateway keeps.
  static let tooManySubscriptions = GoogleError(
    status: .resourceExhausted, message: "Resource has been exhausted (e.g. check quota).")

  /// A page of the list that cannot be.
  static let pageInvalid = GoogleError(
    status: .invalidArgument, message: "Request contains an invalid argument.")
}
