import PushpitModel

/// Makes the names of messages; the form of the last part tells what the message was for.
///
/// No run-time exclusivity checks on its property: all accesses happen on the loop's thread.
final class MessageIDs {
  private let random: RandomSource
  /// Added to the time, so that no two messages of one moment are called the same.
  @exclusivity(unchecked) private var sequence: Int64 = 0

  init(random: RandomSource) {
    self.random = random
  }

  /// The name of a message to a token: for Android `0:`, microseconds, a literal percent sign, 16
  /// hexadecimal digits; for others microseconds.
  func tokenMessage(platform: Platform?, now: Timestamp, in project: String) -> [UInt8] {
    sequence += 1
    let microseconds = now.milliseconds * 1000 + sequence
    switch platform {
    case .android, nil:
      let (first, second) = random.hexDigits16()
      return Self.name(in: project) { writer in
        writer.write("0:")
        writer.write(decimal: microseconds)
        writer.write("%")
        writer.write(characters: first)
        writer.write(characters: second)
      }
    case .ios, .web: return Self.name(in: project) { $0.write(decimal: microseconds) }
    }
  }

  /// What a validated message to a token is called (live captures).
  func validatedMessage(in project: String) -> [UInt8] {
    Self.name(in: project) { $0.write("fake_message_id") }
  }

  /// Topics and conditions, validated or sent: a decimal of 19 digits.
  func topicMessage(in project: String) -> [UInt8] {
    let number = Int64(1_000_000_000_000_000_000 + random.next() % 8_000_000_000_000_000_000)
    return Self.name(in: project) { $0.write(decimal: number) }
  }

  /// The last part of a name, by which an iOS app knows the message.
  static func id(in name: [UInt8]) -> String {
    let start = name.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: name[start...], as: UTF8.self)
  }

  /// `projects/P/messages/`, and what a closure writes: at most 64 bytes.
  @inline(__always)
  private static func name(in project: String, _ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var project = project
    return project.withUTF8 { project in
      ByteWriter.bytes(atMost: project.count + 96) { writer in
        writer.write("projects/")
        writer.write(project)
        writer.write("/messages/")
        write(&writer)
      }
    }
  }
}
