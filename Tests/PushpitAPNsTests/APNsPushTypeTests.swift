import PushpitModel
import Testing

@testable import PushpitAPNs

@Suite struct APNsPushTypeTests {
  static let bundle = "com.example.app"

  @Test func `there are the eleven values of Apple's page`() {
    #expect(
      APNsPushType.allCases.map(\.text.description) == [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm",
        "liveactivity", "pushtotalk", "widgets", "controls",
      ])
  }

  @Test(arguments: APNsPushType.allCases)
  func `a type is found by its text and by nothing else`(type: APNsPushType) {
    let text = type.text.description
    #expect(APNsPushType(Array(text.utf8)[...]) == type)
    #expect(APNsPushType(Array((text + " ").utf8)[...]) == nil)
    #expect(APNsPushType(Array(text.dropLast().utf8)[...]) == nil)
  }

  @Test(arguments: APNsPushType.allCases, APNsPushType.allCases)
  func `a type goes with its own suffix and no other`(type: APNsPushType, other: APNsPushType) {
    let topic = Self.bundle + (other.topicSuffix?.description ?? "")
    let isSame = type.topicSuffix?.description == other.topicSuffix?.description
    #expect(type.accepts(topicOf: APNsPushType.ofSuffix(Array(topic.utf8)[...])) == isSame)
  }

  // PyAPNs2 issue 87, apns2 issues 148 and 149, pushy issues 719 and 720.
  @Test(arguments: ["alert", "background"])
  func `alert and background with a voip topic are InvalidPushType, observed since 2019`(
    type: String
  ) throws {
    let gateway = try Gateway()
    let token = String(repeating: "ee", count: 32)
    gateway.register(token, topic: Self.bundle + ".voip")
    let answer = gateway.send {
      $0.setToken(token)
      $0.set("apns-topic", Self.bundle + ".voip")
      $0.set("apns-push-type", type)
    }
    #expect(answer.body == #"{"reason":"InvalidPushType"}"#)
    #expect(answer.code == .pushTypeNotOfTopic)
    for good in ["voip", nil] {
      let answer = gateway.send {
        $0.setToken(token)
        $0.set("apns-topic", Self.bundle + ".voip")
        $0.set("apns-push-type", good)
      }
      #expect(answer.status == 200)
    }
  }
}
