import Testing

@testable import PushpitAPNs

@Suite struct APNsTopicTests {
  private static let topics: [(text: String, isWellFormed: Bool, owner: APNsPushType?)] = [
    ("com.example.app", true, nil), ("com.example.app.voip", true, .voip),
    ("com.example app", false, nil), ("com_example-9", true, nil),
    (String(repeating: "a", count: APNsTopic.limit), true, nil),
    (String(repeating: "a", count: APNsTopic.limit + 1), false, nil),
  ]

  @Test func `what is known of the last topic is never taken for that of another`() {
    var topic = APNsTopic()
    for first in Self.topics {
      for second in Self.topics {
        topic.become(Array(first.text.utf8)[...])
        topic.become(Array(second.text.utf8)[...])
        #expect(topic.isWellFormed == second.isWellFormed)
        #expect(topic.owner == second.owner)
      }
    }
  }
}
