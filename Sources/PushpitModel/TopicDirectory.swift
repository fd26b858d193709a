/// FCM's topics of one workspace: which registration tokens are subscribed to what.
///
/// A topic belongs to a project and exists while somebody is subscribed to it. Tokens that nobody
/// registered can be subscribed too; they receive nothing.
package struct TopicDirectory {
  /// The most topics of one token (Google: "One app instance can be subscribed to no more than 2000
  /// topics").
  package static let topicLimit = 2000
  /// The most subscriptions of a workspace, so that a sender with many tokens cannot fill the memory.
  package static let totalLimit = 1_000_000

  /// Why a token was not subscribed.
  package enum Full: Error, Equatable {
    /// The token has as many topics as it may have.
    case token(limit: Int)
    /// The workspace has as many subscriptions as the gateway keeps.
    case workspace(limit: Int)
  }

  /// One topic that a token is subscribed to.
  package struct Subscription: Sendable, Equatable {
    package let topic: String
    /// The workspace's time.
    package let createdAt: Timestamp

    package init(topic: String, createdAt: Timestamp) {
      self.topic = topic
      self.createdAt = createdAt
    }
  }

  private struct TopicKey: Hashable {
    let project: String
    let topic: String
  }

  private let topicLimit: Int
  private let totalLimit: Int
  private var subscribers: [ProjectToken: TopicSubscriber] = [:]
  private var topics: [TopicKey: [ObjectIdentifier: TopicSubscriber]] = [:]
  /// How many tokens are subscribed in each project, to find all subscriptions of a token.
  private var tokenCounts: [String: Int] = [:]
  /// How many subscriptions there are.
  package private(set) var count = 0

  package init(topicLimit: Int = Self.topicLimit, totalLimit: Int = Self.totalLimit) {
    self.topicLimit = topicLimit
    self.totalLimit = totalLimit
  }

  /// Whether this many subscriptions more find room.
  package func hasRoom(for more: Int) -> Bool { count + more <= totalLimit }

  /// A token's subscriptions, by name.
  package func subscriptions(of token: [UInt8], in project: String) -> [Subscription] {
    guard let subscriber = subscribers[ProjectToken(project, token)] else { return [] }
    return subscriber.topics.map { Subscription(topic: $0.key, createdAt: $0.value) }
      .sorted { $0.topic < $1.topic }
  }

  /// A token's subscription to a topic; nil when there is none.
  package func subscription(
    of token: [UInt8], to topic: String, in project: String
  ) -> Subscription? {
    subscribers[ProjectToken(project, token)]?.topics[topic].map {
      Subscription(topic: topic, createdAt: $0)
    }
  }

  /// Subscribes a token; one that is subscribed keeps its time.
  /// - Throws: that there are too many.
  @discardableResult
  package mutating func subscribe(
    _ token: [UInt8], to topic: String, in project: String, at now: Timestamp
  ) throws(Full) -> (subscription: Subscription, isNew: Bool) {
    let known = subscribers[ProjectToken(project, token)]
    if let since = known?.topics[topic] {
      return (Subscription(topic: topic, createdAt: since), false)
    }
    guard (known?.topics.count ?? 0) < topicLimit else { throw .token(limit: topicLimit) }
    guard hasRoom(for: 1) else { throw .workspace(limit: totalLimit) }
    let subscriber = known ?? insert(TopicSubscriber(token: token), in: project)
    join(subscriber, topic, in: project, at: now)
    return (Subscription(topic: topic, createdAt: now), true)
  }

  /// Ends a subscription; false when there is none.
  @discardableResult
  package mutating func unsubscribe(
    _ token: [UInt8], from topic: String, in project: String
  ) -> Bool {
    let key = ProjectToken(project, token)
    guard let subscriber = subscribers[key], subscriber.topics.removeValue(forKey: topic) != nil
    else { return false }
    leave(subscriber, topic, in: project)
    if subscriber.topics.isEmpty { remove(key) }
    return true
  }

  /// Ends all subscriptions of a token.
  package mutating func unsubscribeAll(_ token: [UInt8], in project: String) {
    guard let subscriber = remove(ProjectToken(project, token)) else { return }
    for topic in subscriber.topics.keys { leave(subscriber, topic, in: project) }
  }

  /// Makes a token's subscriptions those of a project, wherever it was subscribed; those of projects that
  /// are not its own end, and so do those that are more than a token may have.
  package mutating func claim(
    _ token: [UInt8], for project: String, from isOwn: (_ project: String) -> Bool
  ) {
    for other in tokenCounts.keys.sorted() where other != project {
      guard let former = subscribers[ProjectToken(other, token)] else { continue }
      unsubscribeAll(token, in: other)
      guard isOwn(other) else { continue }
      let subscriber =
        subscribers[ProjectToken(project, token)]
        ?? insert(TopicSubscriber(token: token), in: project)
      for (topic, since) in former.topics
      where subscriber.topics[topic] == nil && subscriber.topics.count < topicLimit {
        join(subscriber, topic, in: project, at: since)
      }
    }
  }

  /// Makes the subscriptions of a token those of another one, which has none.
  package mutating func move(_ token: [UInt8], to new: [UInt8], in project: String) {
    guard let subscriber = subscribers.removeValue(forKey: ProjectToken(project, token)) else {
      return
    }
    subscriber.token = new
    subscribers[ProjectToken(project, new)] = subscriber
  }

  /// How many tokens are subscribed to a topic.
  package func subscriberCount(of topic: String, in project: String) -> Int {
    topics[TopicKey(project: project, topic: topic)]?.count ?? 0
  }

  /// The tokens that a selection chooses among the subscribers of its topics, in no order, each once.
  ///
  /// Linear in their number: each is met once for every topic, and taken at the first that it has.
  package func tokens(chosenBy selection: TopicSelection, in project: String) -> [[UInt8]] {
    var chosen: [[UInt8]] = []
    for (index, topic) in selection.topics.enumerated() {
      guard let members = topics[TopicKey(project: project, topic: topic)] else { continue }
      for subscriber in members.values {
        let memberships = subscriber.memberships(in: selection)
        guard memberships.trailingZeroBitCount == index, selection.chooses(memberships) else {
          continue
        }
        chosen.append(subscriber.token)
      }
    }
    return chosen
  }

  /// Whether a token is subscribed to any of a selection's topics.
  package func isSubscriber(
    _ token: [UInt8], ofAny selection: TopicSelection, in project: String
  ) -> Bool {
    guard let subscriber = subscribers[ProjectToken(project, token)] else { return false }
    return subscriber.memberships(in: selection) != 0
  }

  private mutating func insert(
    _ subscriber: TopicSubscriber, in project: String
  ) -> TopicSubscriber {
    subscribers[ProjectToken(project, subscriber.token)] = subscriber
    tokenCounts[project, default: 0] += 1
    return subscriber
  }

  @discardableResult
  private mutating func remove(_ key: ProjectToken) -> TopicSubscriber? {
    guard let subscriber = subscribers.removeValue(forKey: key) else { return nil }
    let rest = tokenCounts[key.project, default: 1] - 1
    tokenCounts[key.project] = rest == 0 ? nil : rest
    return subscriber
  }

  private mutating func join(
    _ subscriber: TopicSubscriber, _ topic: String, in project: String, at now: Timestamp
  ) {
    subscriber.topics[topic] = now
    topics[TopicKey(project: project, topic: topic), default: [:]][ObjectIdentifier(subscriber)] =
      subscriber
    count += 1
  }

  private mutating func leave(_ subscriber: TopicSubscriber, _ topic: String, in project: String) {
    let key = TopicKey(project: project, topic: topic)
    topics[key]?[ObjectIdentifier(subscriber)] = nil
    if topics[key]?.isEmpty == true { topics[key] = nil }
    count -= 1
  }
}

/// A token with its topics; one object, because every topic has it.
private final class TopicSubscriber {
  var token: [UInt8]
  /// By name, since when.
  var topics: [String: Timestamp] = [:]

  init(token: [UInt8]) {
    self.token = token
  }

  /// Bit `k` is set when it is subscribed to the selection's topic `k`.
  func memberships(in selection: TopicSelection) -> Int {
    var memberships = 0
    for (index, topic) in selection.topics.enumerated() where topics[topic] != nil {
      memberships |= 1 << index
    }
    return memberships
  }
}
