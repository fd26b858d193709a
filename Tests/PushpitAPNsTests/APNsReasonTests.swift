import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsReasonTests {
  static let statuses: [(status: Int, reasons: [String])] = [
    (
      400,
      [
        "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority",
        "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders", "InvalidPushType",
        "MissingDeviceToken", "MissingTopic", "PayloadEmpty", "TopicDisallowed",
      ]
    ),
    (
      403,
      [
        "BadEnvironmentKeyInToken", "ExpiredProviderToken", "InvalidProviderToken",
        "MissingProviderToken",
      ]
    ),
    (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (410, ["Unregistered"]),
    (413, ["PayloadTooLarge"]),
  ]

  @Test func `every reason has the status of Apple's table`() {
    for (status, reasons) in Self.statuses {
      let found = APNsReason.allCases.filter { $0.status == status }.map(\.rawValue)
      #expect(found.sorted() == reasons)
    }
    #expect(APNsReason.allCases.count == Self.statuses.map(\.reasons.count).reduce(0, +))
  }

  // APNSwift pull request 229 (October 2025); Apple's page prints the longer one.
  @Test func `the environment reason has two spellings, all others one`() {
    for reason in APNsReason.allCases where reason != .badEnvironmentKeyInToken {
      #expect(reason.text(.observed) == reason.text(.documented))
    }
    #expect(APNsReason.badEnvironmentKeyInToken.text(.observed) == "BadEnvironmentKeyInToken")
    #expect(APNsReason.badEnvironmentKeyInToken.text(.documented) == "BadEnvironmentKeyIdInToken")
  }
}
