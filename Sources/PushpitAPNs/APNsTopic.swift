import PushpitHTTPTypes

/// What a topic's bytes say; kept for the last topic, because a sender has few.
struct APNsTopic {
  /// The longest topic in bytes: bundle IDs have at most 155, suffixes 23; the rest is room.
  static let limit = 255

  /// The topic as sent.
  private(set) var bytes: [UInt8] = []
  /// It can be a topic, with or without a suffix.
  ///
  /// BadTopic has no capture. Assumed are the characters of a bundle ID, letters, digits, hyphen
  /// and period, and the underscore, which nobody was seen to be refused for.
  private(set) var isWellFormed = true
  /// The push type whose suffix it ends with; nil for a plain bundle ID.
  private(set) var owner: APNsPushType?

  /// Makes it the topic of these bytes, which it may be already.
  mutating func become(_ topic: ArraySlice<UInt8>) {
    guard !topic.isEqual(bytes) else { return }
    bytes = Array(topic)
    isWellFormed = topic.count <= Self.limit && topic.allSatisfy(Self.isTopicCharacter)
    owner = APNsPushType.ofSuffix(topic)
  }

  /// Whether a bundle ID or a topic may have this character.
  static func isTopicCharacter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: ".") || byte &- 0x30 < 10
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
