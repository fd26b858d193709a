import PushpitHTTPTypes

/// The head of a send whose method, host and path are written as nearly all senders write them.
///
/// `GoogleEndpoint` comes to the same for it; what is written otherwise is its alone.
final class PlainSend {
  let project: String
  private let authority: [UInt8]
  private let target: [UInt8]

  /// Nil for every other head.
  init?(_ head: RequestHead) {
    guard head.method.withUnsafeBufferPointer({ $0.isEqual("POST") }),
      head.authority.withUnsafeBufferPointer(Self.isHostOfFCM),
      let project = head.target.withUnsafeBufferPointer(Self.project)
    else { return nil }
    self.project = project
    authority = head.authority
    target = head.target
  }

  /// Whether another head is for the same.
  func isSame(as head: RequestHead) -> Bool {
    head.method.withUnsafeBufferPointer { $0.isEqual("POST") }
      && hasBytes(authority, head.authority)
      && hasBytes(target, head.target)
  }

  private func hasBytes(_ own: [UInt8], _ other: [UInt8]) -> Bool {
    own.withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.hasBytes(of: $0) } }
  }

  /// The project of a path without escapes and query.
  private static func project(of target: UnsafeBufferPointer<UInt8>) -> String? {
    let (start, end): (StaticString, StaticString) = ("/v1/projects/", "/messages:send")
    let fixedCount = start.utf8CodeUnitCount + end.utf8CodeUnitCount
    guard target.count > fixedCount, target.begins(with: start), target.ends(with: end) else {
      return nil
    }
    let project = target[start.utf8CodeUnitCount...].prefix(target.count - fixedCount)
    guard project.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    return String(decoding: UnsafeBufferPointer(rebasing: project), as: UTF8.self)
  }

  /// Whether an authority in lower case names no host of Google's, or FCM's.
  private static func isHostOfFCM(_ authority: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = authority.prefix { $0 != UInt8(ascii: ":") }
    let isPlain =
      authority[name.endIndex...].dropFirst().allSatisfy { $0 &- 0x30 < 10 }
      && name.allSatisfy {
        isLetterOrDigit($0) && $0 & 0xE0 != 0x40 || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-")
      }
    guard isPlain else { return false }
    let host = UnsafeBufferPointer(rebasing: name)
    let isGoogles =
      host.ends(with: ".googleapis.com") || host.ends(with: ".google.com")
      || host.ends(with: ".google.internal")
    return !isGoogles || host.isEqual("fcm.googleapis.com")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}
