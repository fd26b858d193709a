import PushpitModel
import Testing

@Suite struct TopicDirectoryTests {
  let now = Timestamp(milliseconds: 1_800_000_000_000)

  private func subscribed(_ pairs: [(UInt8, String)], in project: String = "demo") throws
    -> TopicDirectory
  {
    var directory = TopicDirectory()
    for (token, topic) in pairs {
      try directory.subscribe([token], to: topic, in: project, at: now)
    }
    return directory
  }

  @Test func `a subscription is made once and keeps its time`() throws {
    var directory = TopicDirectory()
    let first = try directory.subscribe([1], to: "a", in: "demo", at: now)
    let again = try directory.subscribe([1], to: "a", in: "demo", at: now + .seconds(1))
    #expect(first.isNew && !again.isNew)
    #expect(again.subscription.createdAt == now)
    #expect(directory.count == 1)
    #expect(directory.subscription(of: [1], to: "a", in: "demo") == first.subscription)
    #expect(directory.subscription(of: [1], to: "b", in: "demo") == nil)
  }

  @Test func `a token's subscriptions are listed by name`() throws {
    let directory = try subscribed([(1, "c"), (1, "a"), (2, "z"), (1, "b")])
    #expect(directory.subscriptions(of: [1], in: "demo").map(\.topic) == ["a", "b", "c"])
    #expect(directory.subscriptions(of: [3], in: "demo").isEmpty)
  }

  @Test func `an end of a subscription is said once, and topics without subscribers are gone`()
    throws
  {
    var directory = try subscribed([(1, "a"), (2, "a")])
    let first = directory.unsubscribe([1], from: "a", in: "demo")
    let again = directory.unsubscribe([1], from: "a", in: "demo")
    #expect(first && !again)
    #expect(directory.subscriberCount(of: "a", in: "demo") == 1)
    directory.unsubscribeAll([2], in: "demo")
    #expect(directory.subscriberCount(of: "a", in: "demo") == 0)
    #expect(directory.count == 0)
  }

  @Test func `projects share no topics`() throws {
    var directory = try subscribed([(1, "a")])
    #expect(directory.subscription(of: [1], to: "a", in: "other") == nil)
    #expect(directory.tokens(chosenBy: TopicSelection(topic: "a"), in: "other").isEmpty)
    directory.unsubscribeAll([1], in: "other")
    #expect(directory.count == 1)
  }

  @Test func `a claimed token has its subscriptions in one project, with their times`() throws {
    var directory = TopicDirectory(topicLimit: 2)
    for (project, topic) in [("1", "a"), ("demo", "b"), ("other", "c")] {
      try directory.subscribe([1], to: topic, in: project, at: now)
    }
    try directory.subscribe([2], to: "a", in: "1", at: now)
    directory.claim([1], for: "demo") { $0 == "1" }
    #expect(
      directory.subscriptions(of: [1], in: "demo")
        == ["a", "b"].map { TopicDirectory.Subscription(topic: $0, createdAt: now) })
    #expect(directory.subscriptions(of: [1], in: "1").isEmpty)
    #expect(directory.tokens(chosenBy: TopicSelection(topic: "a"), in: "1") == [[2]])
    #expect(directory.tokens(chosenBy: TopicSelection(topic: "a"), in: "demo") == [[1]])
    #expect(directory.subscriberCount(of: "c", in: "other") == 0)
    #expect(directory.count == 3)
  }

  @Test func `a claimed token takes no more topics than the limit`() throws {
    var directory = TopicDirectory(topicLimit: 2)
    for (project, topic) in [("1", "a"), ("demo", "b"), ("demo", "c")] {
      try directory.subscribe([1], to: topic, in: project, at: now)
    }
    directory.claim([1], for: "demo") { _ in true }
    #expect(directory.subscriptions(of: [1], in: "demo").map(\.topic) == ["b", "c"])
    #expect(directory.count == 2)
  }

  /// Google: "One app instance can be subscribed to no more than 2000 topics".
  @Test func `a token takes no more topics than the limit, and an end makes room`() throws {
    var directory = TopicDirectory(topicLimit: 2)
    for topic in ["a", "b", "a"] {
      try directory.subscribe([1], to: topic, in: "demo", at: now)
    }
    #expect(throws: TopicDirectory.Full.token(limit: 2)) {
      try directory.subscribe([1], to: "c", in: "demo", at: now)
    }
    try directory.subscribe([2], to: "c", in: "demo", at: now)
    directory.unsubscribe([1], from: "a", in: "demo")
    try directory.subscribe([1], to: "c", in: "demo", at: now)
    #expect(TopicDirectory.topicLimit == 2000)
  }

  @Test func `a workspace takes no more subscriptions than the limit`() throws {
    var directory = TopicDirectory(totalLimit: 2)
    for token in [1, 2] as [UInt8] {
      try directory.subscribe([token], to: "a", in: "demo", at: now)
    }
    #expect(!directory.hasRoom(for: 1))
    #expect(throws: TopicDirectory.Full.workspace(limit: 2)) {
      try directory.subscribe([3], to: "a", in: "demo", at: now)
    }
    directory.unsubscribeAll([1], in: "demo")
    try directory.subscribe([3], to: "a", in: "demo", at: now)
  }

  @Test func `a selection chooses each subscriber once, by all memberships`() throws {
    let directory = try subscribed([
      (1, "a"), (2, "b"), (3, "c"), (4, "a"), (4, "b"), (5, "a"), (5, "c"), (6, "x"),
    ])
    func chosen(_ isChosen: (Int) -> Bool) -> [UInt8] {
      let selection = TopicSelection(topics: ["a", "b", "c"], isChosen: isChosen)
      return directory.tokens(chosenBy: selection, in: "demo").map { $0[0] }.sorted()
    }
    #expect(chosen { $0 & 1 != 0 } == [1, 4, 5])
    #expect(chosen { $0 & 1 != 0 && $0 & 6 != 0 } == [4, 5])
    #expect(chosen { $0 != 0 } == [1, 2, 3, 4, 5])
    #expect(chosen { $0 & 1 == 0 } == [2, 3])
    #expect(chosen { _ in false } == [])
  }

  @Test func `those without a topic of the selection are known`() throws {
    let directory = try subscribed([(1, "a"), (2, "x")])
    let selection = TopicSelection(topics: ["a"]) { $0 == 0 }
    #expect(selection.choosesOthers)
    #expect(!TopicSelection(topic: "a").choosesOthers)
    #expect(directory.isSubscriber([1], ofAny: selection, in: "demo"))
    #expect(!directory.isSubscriber([2], ofAny: selection, in: "demo"))
    #expect(!directory.isSubscriber([3], ofAny: selection, in: "demo"))
  }

  @Test func `a selection of five topics knows all 32 sets of memberships`() {
    let selection = TopicSelection(topics: ["a", "b", "c", "d", "e"]) { $0.isMultiple(of: 3) }
    #expect((0..<32).filter(selection.chooses) == (0..<32).filter { $0.isMultiple(of: 3) })
  }

  @Test(arguments: [
    ("news", true), ("a-b_c.d~e%20", true), ("", false), ("a b", false), ("/topics/a", false),
    ("é", false), (String(repeating: "a", count: 900), true),
    (String(repeating: "a", count: 901), false),
  ])
  func `names of topics have 1 to 900 of Google's characters`(_ name: String, _ isValid: Bool) {
    #expect(FCMTopicName.isValid(name.utf8) == isValid)
  }
}
