/// A canonical status of `google.rpc.Code`, with the HTTP status that goes with it.
enum GoogleStatus: String, Sendable, CaseIterable {
  case invalidArgument = "INVALID_ARGUMENT"
  case unauthenticated = "UNAUTHENTICATED"
  case permissionDenied = "PERMISSION_DENIED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case internalError = "INTERNAL"
  case unavailable = "UNAVAILABLE"

  var httpStatus: Int {
    switch self {
    case .invalidArgument: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists: 409
    case .resourceExhausted: 429
    case .internalError: 500
    case .unavailable: 503
    }
  }
}

/// The `errorCode` of a `google.firebase.fcm.v1.FcmError`.
enum FCMErrorCode: String, Sendable, CaseIterable {
  case invalidArgument = "INVALID_ARGUMENT"
  case unregistered = "UNREGISTERED"
  case senderIDMismatch = "SENDER_ID_MISMATCH"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
  case internalError = "INTERNAL"
  case unavailable = "UNAVAILABLE"
}

/// An error of Google's JSON APIs: what the `error` object of the answer says.
///
/// Those of the front end (credentials, routing, JSON) never carry an FcmError; those of FCM itself
/// do, apart from a malformed condition. The order of the details is part of the value: it is
/// answered as captured.
struct GoogleError: Error, Sendable, Equatable {
  /// One element of `details`.
  enum Detail: Sendable, Equatable {
    case errorInfo(reason: String, domain: String, metadata: [Metadatum])
    /// Without violations the key `fieldViolations` is absent.
    case badRequest([FieldViolation])
    case fcmError(FCMErrorCode)
    /// What APNs answered to the push that FCM passed on.
    case apnsError(statusCode: Int, reason: String)
    case quotaFailure(subject: String, description: String)
    /// The message again, in American English.
    case localizedMessage(String)
    case help(description: String, url: String)
  }

  /// One entry of an ErrorInfo's metadata.
  struct Metadatum: Sendable, Equatable {
    let key: String
    let value: String
  }

  /// The `WWW-Authenticate` field of a 401 answer.
  enum Challenge: Sendable, Equatable {
    case credentialMissing
    case tokenInvalid
  }

  let status: GoogleStatus
  let message: String
  var details: [Detail] = []
  var challenge: Challenge?
  /// `Retry-After` in whole seconds: pyfcm takes nothing else.
  var retryAfter: Int?

  /// What the record calls the error: the FcmError's code, else the ErrorInfo's reason, else the
  /// status.
  var reason: String {
    var reason: String?
    for detail in details {
      switch detail {
      case .fcmError(let code): return code.rawValue
      case .errorInfo(let named, _, _): reason = reason ?? named
      case .badRequest, .apnsError, .quotaFailure, .localizedMessage, .help: break
      }
    }
    return reason ?? status.rawValue
  }
}
