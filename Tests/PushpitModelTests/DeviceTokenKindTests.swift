import Testing

@testable import PushpitModel

@Suite struct DeviceTokenKindTests {
  @Test(arguments: [
    (DeviceTokenKind.app, "com.example.app"), (.voip, "com.example.app.voip"),
    (.complication, "com.example.app.complication"),
    (.fileprovider, "com.example.app.pushkit.fileprovider"),
    (.pushToStart, "com.example.app.push-type.liveactivity"),
    (.liveactivity, "com.example.app.push-type.liveactivity"),
    (.widgets, "com.example.app.push-type.widgets"),
    (.controls, "com.example.app.push-type.controls"), (.pushtotalk, "com.example.app.voip-ptt"),
    (.location, "com.example.app.location-query"),
  ])
  func `each kind takes the topic of Apple's page`(kind: DeviceTokenKind, topic: String) {
    #expect(String(decoding: kind.topic(of: "com.example.app"), as: UTF8.self) == topic)
  }

  @Test(arguments: DeviceTokenKind.allCases)
  func `minted tokens have an APNs token's length, and those of activities 160 digits, observed`(
    kind: DeviceTokenKind
  ) {
    #expect(TokenShape.apnsLengths.contains(kind.mintedLength))
    #expect((kind.mintedLength == 160) == kind.isOfLiveActivities)
    #expect(
      TokenRecord(token: [], kind: .apns, purpose: kind).isOfLiveActivities
        == kind.isOfLiveActivities)
  }
}
