/// Which subscribers a topic or a condition over topics chooses, whatever the condition looks like.
///
/// A condition has at most five topics, so everything it says is one bit for each set of memberships.
package struct TopicSelection: Sendable, Equatable {
  /// Google: "You can include up to five topics in your conditional expression".
  package static let topicLimit = 5

  /// The topics it asks about, each once.
  package let topics: [String]
  /// Bit `n` says whether those are chosen whose memberships are the bits of `n`.
  private let truths: UInt32

  /// Chooses the subscribers of one topic.
  package init(topic: String) {
    topics = [topic]
    truths = 0b10
  }

  /// Asks a condition about every set of memberships: bit `k` stands for `topics[k]`.
  package init(topics: [String], isChosen: (_ memberships: Int) -> Bool) {
    precondition(topics.count <= Self.topicLimit)
    self.topics = topics
    truths = (0..<1 << topics.count).reduce(0) { $0 | (isChosen($1) ? 1 << UInt32($1) : 0) }
  }

  /// Whether those are chosen who have these memberships and no others of the selection.
  package func chooses(_ memberships: Int) -> Bool { truths >> UInt32(memberships) & 1 == 1 }

  /// Whether it chooses those who are subscribed to none of its topics.
  ///
  /// Google on `!('TopicA' in topics)`: "any app instances that are not subscribed to TopicA, including
  /// app instances that are not subscribed to any topic, receive the message" (topic messaging).
  package var choosesOthers: Bool { chooses(0) }
}
