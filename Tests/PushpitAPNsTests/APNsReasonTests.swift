import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsReasonTests {
  static let statuses: [(status: Int, reasons: [String])] = [
    (
      400,
      [
        "BadChannelId", "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId",
        "BadPriority", "BadRequestParams", "BadRequestPayload", "BadTopic",
        "BroadcastFeatureNotEnabled", "CannotCreateChannelConfig", "ChannelNotRegistered",
        "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType",
        "MissingChannelId", "MissingChannelQueueSize", "MissingDeviceToken", "MissingPushType",
        "MissingTopic", "PayloadEmpty", "TopicDisallowed",
      ]
    ),
    (
      403,
      [
        "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyInToken",
        "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
        "TopicMismatch", "UnrelatedKeyIdInToken",
      ]
    ),
    (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (410, ["ExpiredToken", "Unregistered"]),
    (413, ["PayloadTooLarge"]), (429, ["TooManyProviderTokenUpdates", "TooManyRequests"]),
    (500, ["InternalServerError"]), (503, ["ServiceUnavailable", "Shutdown"]),
  ]

  @Test func `every reason has the status of Apple's table`() {
    for (status, reasons) in Self.statuses {
      let found = APNsReason.allCases.filter { $0.status == status }.map(\.rawValue)
      #expect(found.sorted() == reasons)
    }
    #expect(APNsReason.allCases.count == Self.statuses.map(\.reasons.count).reduce(0, +))
  }

  // APNSwift pull request 229 (October 2025) and a sandbox capture of September 2026; Apple's pages
  // print the others.
  @Test func `two reasons have two spellings, all others one`() {
    let documented = Dictionary(
      uniqueKeysWithValues: APNsReason.allCases.compactMap { reason in
        let texts = (reason.text(.observed), reason.text(.documented))
        return texts.0 == texts.1 ? nil : texts
      })
    #expect(
      documented == [
        "BadEnvironmentKeyInToken": "BadEnvironmentKeyIdInToken",
        "BroadcastFeatureNotEnabled": "FeatureNotEnabled",
      ])
  }
}
