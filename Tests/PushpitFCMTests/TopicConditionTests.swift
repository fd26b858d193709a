import Testing

@testable import PushpitFCM

@Suite struct TopicConditionTests {
  @Test func `operators bind from left to right, parentheses first`() {
    #expect(
      TopicCondition("'a' in topics || 'b' in topics && 'c' in topics")
        == .and(.or(.topic("a"), .topic("b")), .topic("c")))
    #expect(
      TopicCondition("'a' in topics || ('b' in topics && !('c' in topics))")
        == .or(.topic("a"), .and(.topic("b"), .not(.topic("c")))))
    #expect(TopicCondition("!'a' in topics") == .not(.topic("a")))
    #expect(
      TopicCondition("'a'\tin\ttopics\t||'b'in topics") == .or(.topic("a"), .topic("b")))
  }

  @Test(arguments: [
    "'a' in topics &&", "", "&&", "'a'", "'a' in topic", "'a in topics", "a in topics",
    "'a'intopics", "'a' intopics", "'a' in topics 'b' in topics", "('a' in topics",
    "'a' in topics)", "'' in topics",
    "'a b' in topics", "'a' in topics & 'b' in topics", "'/topics/a' in topics",
  ])
  func `a malformed condition is none`(_ text: String) {
    #expect(TopicCondition(text) == nil)
  }

  /// Google: "You can include up to five topics in your conditional expression".
  @Test func `five topics are allowed, six are not`() {
    let topics = (1...6).map { "'t\($0)' in topics" }
    #expect(TopicCondition(topics.prefix(5).joined(separator: " || ")) != nil)
    #expect(TopicCondition(topics.joined(separator: " || ")) == nil)
  }

  @Test func `nesting is limited`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "'a' in topics" + String(repeating: ")", count: depth)
    }
    #expect(TopicCondition(nested(TopicCondition.depthLimit - 1)) != nil)
    #expect(TopicCondition(nested(TopicCondition.depthLimit)) == nil)
    #expect(TopicCondition(nested(100_000)) == nil)
  }
}
