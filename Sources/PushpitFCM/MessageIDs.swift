import PushpitModel

/// Makes the last part of a message's name; its form tells what the message was for.
final class MessageIDs {
  /// What a validated message to a token is called (live captures).
  static let validationOnly = "fake_message_id"

  private let random: RandomSource
  /// Added to the time, so that no two messages of one moment are called the same.
  private var sequence: Int64 = 0

  init(random: RandomSource) {
    self.random = random
  }

  /// Android: `0:`, microseconds, a literal percent sign, 16 hexadecimal digits; others: microseconds.
  func tokenMessage(platform: Platform?, now: Timestamp) -> String {
    sequence += 1
    let microseconds = String(now.milliseconds * 1000 + sequence)
    switch platform {
    case .android, nil: return "0:\(microseconds)%\(random.hex(16))"
    case .ios, .web: return microseconds
    }
  }

  /// Topics and conditions, validated or sent: a decimal of 19 digits.
  func topicMessage() -> String {
    String(1_000_000_000_000_000_000 + random.next() % 8_000_000_000_000_000_000)
  }
}
