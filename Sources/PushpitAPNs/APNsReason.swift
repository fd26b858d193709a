package import PushpitModel

/// Why APNs refuses a push or a channel, with the text and the status it has on the wire.
///
/// Apple: Handling notification responses from APNs, and Handling error responses from APNs
/// (broadcast); where captures differ from those pages, the raw value is what was seen and `text(_:)`
/// knows both.
package enum APNsReason: String, Sendable, CaseIterable {
  case badCollapseID = "BadCollapseId"
  case badDeviceToken = "BadDeviceToken"
  case badExpirationDate = "BadExpirationDate"
  case badMessageID = "BadMessageId"
  case badPriority = "BadPriority"
  case badTopic = "BadTopic"
  case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
  case duplicateHeaders = "DuplicateHeaders"
  case idleTimeout = "IdleTimeout"
  case invalidPushType = "InvalidPushType"
  case missingDeviceToken = "MissingDeviceToken"
  case missingTopic = "MissingTopic"
  case payloadEmpty = "PayloadEmpty"
  case topicDisallowed = "TopicDisallowed"
  case missingChannelID = "MissingChannelId"
  case badChannelID = "BadChannelId"
  case channelNotRegistered = "ChannelNotRegistered"
  case badRequestParameters = "BadRequestParams"
  case badRequestPayload = "BadRequestPayload"
  case missingPushType = "MissingPushType"
  case cannotCreateChannel = "CannotCreateChannelConfig"
  case broadcastNotEnabled = "BroadcastFeatureNotEnabled"
  /// Undocumented: the storage policy of a new channel is missing or no policy (field report, 2026).
  case missingChannelQueueSize = "MissingChannelQueueSize"
  case badCertificate = "BadCertificate"
  case badCertificateEnvironment = "BadCertificateEnvironment"
  case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
  case expiredProviderToken = "ExpiredProviderToken"
  case forbidden = "Forbidden"
  case invalidProviderToken = "InvalidProviderToken"
  case missingProviderToken = "MissingProviderToken"
  case topicMismatch = "TopicMismatch"
  case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
  case badPath = "BadPath"
  case methodNotAllowed = "MethodNotAllowed"
  case expiredToken = "ExpiredToken"
  case unregistered = "Unregistered"
  case payloadTooLarge = "PayloadTooLarge"
  case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
  case tooManyRequests = "TooManyRequests"
  case internalServerError = "InternalServerError"
  case serviceUnavailable = "ServiceUnavailable"
  case shutdown = "Shutdown"

  /// The status of the answer.
  package var status: Int {
    switch self {
    case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority,
      .badTopic, .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType,
      .missingDeviceToken, .missingTopic, .payloadEmpty, .topicDisallowed, .missingChannelID,
      .badChannelID, .channelNotRegistered, .badRequestParameters, .badRequestPayload,
      .missingPushType, .cannotCreateChannel, .broadcastNotEnabled, .missingChannelQueueSize:
      400
    case .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyInToken,
      .expiredProviderToken, .forbidden, .invalidProviderToken, .missingProviderToken,
      .topicMismatch, .unrelatedKeyIDInToken:
      403
    case .badPath: 404
    case .methodNotAllowed: 405
    case .expiredToken, .unregistered: 410
    case .payloadTooLarge: 413
    case .tooManyProviderTokenUpdates, .tooManyRequests: 429
    case .internalServerError: 500
    case .serviceUnavailable, .shutdown: 503
    }
  }

  /// The text of the answer.
  ///
  /// Apple's pages print `BadEnvironmentKeyIdInToken` where every field report since October 2025
  /// has `BadEnvironmentKeyInToken` (APNSwift pull request 229), and `FeatureNotEnabled` where the
  /// sandbox said `BroadcastFeatureNotEnabled` (September 2026).
  package func text(_ wire: Policies.Wire) -> String {
    switch (self, wire) {
    case (.badEnvironmentKeyInToken, .documented): "BadEnvironmentKeyIdInToken"
    case (.broadcastNotEnabled, .documented): "FeatureNotEnabled"
    default: rawValue
    }
  }
}

/// A push refused: the reason for the wire, and the explanation for people.
package struct APNsRefusal: Error, Equatable {
  /// What the answer says.
  package let reason: APNsReason
  /// What the record says; never in the answer.
  package let diagnosis: Diagnosis
  /// 410 only: since when the token is dead, in workspace time.
  package let timestamp: Timestamp?

  package init(_ reason: APNsReason, _ diagnosis: Diagnosis, since timestamp: Timestamp? = nil) {
    self.reason = reason
    self.diagnosis = diagnosis
    self.timestamp = timestamp
  }
}
