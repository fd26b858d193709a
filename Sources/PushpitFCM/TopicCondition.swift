import PushpitModel

/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
///
/// Google: parentheses first, then left to right, so `a || b && c` means `(a || b) && c`; at most
/// five topics.
indirect enum TopicCondition: Sendable, Equatable {
  case topic(String)
  case not(TopicCondition)
  case and(TopicCondition, TopicCondition)
  case or(TopicCondition, TopicCondition)

  /// The most topics, counted as often as they are named.
  static let topicLimit = TopicSelection.topicLimit
  /// How deep parentheses and negations may nest; five topics need few.
  static let depthLimit = 32

  /// Reads a condition; nil when it is malformed or has too many topics.
  init?(_ text: String) {
    var parser = Parser(text: Array(text.utf8))
    guard let condition = parser.expression(depth: 0), parser.isAtEnd else { return nil }
    self = condition
  }

  /// Whom it chooses, without the condition's form.
  var selection: TopicSelection {
    var topics: [String] = []
    collect(into: &topics)
    return TopicSelection(topics: topics) { memberships in
      isTrue { topic in
        topics.firstIndex(of: topic).map { memberships >> $0 & 1 == 1 } ?? false
      }
    }
  }

  private func collect(into topics: inout [String]) {
    switch self {
    case .topic(let name): if !topics.contains(name) { topics.append(name) }
    case .not(let inner): inner.collect(into: &topics)
    case .and(let left, let right), .or(let left, let right):
      left.collect(into: &topics)
      right.collect(into: &topics)
    }
  }

  private func isTrue(_ isMember: (String) -> Bool) -> Bool {
    switch self {
    case .topic(let name): isMember(name)
    case .not(let inner): !inner.isTrue(isMember)
    case .and(let left, let right): left.isTrue(isMember) && right.isTrue(isMember)
    case .or(let left, let right): left.isTrue(isMember) || right.isTrue(isMember)
    }
  }
}

/// Recursive descent over the bytes of a condition.
private struct Parser {
  let text: [UInt8]
  var position = 0
  var topicCount = 0

  init(text: [UInt8]) {
    self.text = text
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == text.count
    }
  }

  mutating func expression(depth: Int) -> TopicCondition? {
    guard var left = operand(depth: depth) else { return nil }
    while true {
      if take("&&") {
        guard let right = operand(depth: depth) else { return nil }
        left = .and(left, right)
      } else if take("||") {
        guard let right = operand(depth: depth) else { return nil }
        left = .or(left, right)
      } else {
        return left
      }
    }
  }

  private mutating func operand(depth: Int) -> TopicCondition? {
    guard depth < TopicCondition.depthLimit else { return nil }
    if take("!") { return operand(depth: depth + 1).map { .not($0) } }
    if take("(") {
      guard let inner = expression(depth: depth + 1), take(")") else { return nil }
      return inner
    }
    return membership()
  }

  /// `'name' in topics`.
  private mutating func membership() -> TopicCondition? {
    guard take("'"), let end = text[position...].firstIndex(of: UInt8(ascii: "'")) else {
      return nil
    }
    let name = text[position..<end]
    position = end + 1
    topicCount += 1
    guard FCMTopicName.isValid(name), topicCount <= TopicCondition.topicLimit else { return nil }
    guard take("in"), isAtSpace, take("topics") else { return nil }
    return .topic(String(decoding: name, as: UTF8.self))
  }

  private mutating func take(_ word: StaticString) -> Bool {
    skipSpaces()
    let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[position...].starts(with: bytes) else { return false }
    position += bytes.count
    return true
  }

  private var isAtSpace: Bool {
    position < text.count
      && (text[position] == UInt8(ascii: " ") || text[position] == UInt8(ascii: "\t"))
  }

  private mutating func skipSpaces() {
    while isAtSpace { position += 1 }
  }
}
