package import PushpitModel

/// Why APNs refuses a device push, with the text and the status it has on the wire.
///
/// Apple: Handling notification responses from APNs; where captures differ from that page, the
/// raw value is what was seen and `text(_:)` knows both.
package enum APNsReason: String, Sendable, CaseIterable {
  case badCollapseID = "BadCollapseId"
  case badDeviceToken = "BadDeviceToken"
  case badExpirationDate = "BadExpirationDate"
  case badMessageID = "BadMessageId"
  case badPriority = "BadPriority"
  case badTopic = "BadTopic"
  case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
  case duplicateHeaders = "DuplicateHeaders"
  case invalidPushType = "InvalidPushType"
  case missingDeviceToken = "MissingDeviceToken"
  case missingTopic = "MissingTopic"
  case payloadEmpty = "PayloadEmpty"
  case topicDisallowed = "TopicDisallowed"
  case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
  case expiredProviderToken = "ExpiredProviderToken"
  case invalidProviderToken = "InvalidProviderToken"
  case missingProviderToken = "MissingProviderToken"
  case badPath = "BadPath"
  case methodNotAllowed = "MethodNotAllowed"
  case unregistered = "Unregistered"
  case payloadTooLarge = "PayloadTooLarge"

  /// The status of the answer.
  package var status: Int {
    switch self {
    case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority,
      .badTopic, .deviceTokenNotForTopic, .duplicateHeaders, .invalidPushType, .missingDeviceToken,
      .missingTopic, .payloadEmpty, .topicDisallowed:
      400
    case .badEnvironmentKeyInToken, .expiredProviderToken, .invalidProviderToken,
      .missingProviderToken:
      403
    case .badPath: 404
    case .methodNotAllowed: 405
    case .unregistered: 410
    case .payloadTooLarge: 413
    }
  }

  /// The text of the answer.
  ///
  /// Apple's page prints `BadEnvironmentKeyIdInToken`; every field report since October 2025 has
  /// `BadEnvironmentKeyInToken` (APNSwift pull request 229).
  package func text(_ wire: Policies.Wire) -> String {
    self == .badEnvironmentKeyInToken && wire == .documented
      ? "BadEnvironmentKeyIdInToken" : rawValue
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
