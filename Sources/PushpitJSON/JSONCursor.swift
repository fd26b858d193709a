/// A place in a JSON text, for readers that know what they look for and give up at anything else.
///
/// Nothing is built and nothing is copied: strings are ranges of the text. So only those are read
/// whose bytes stand for themselves, in valid UTF-8 and without escapes. What is given up may be JSON
/// all the same; another reader has to tell.
package struct JSONCursor {
  private let text: JSONText
  private var index = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    text = JSONText(bytes: bytes)
  }

  /// What comes next in an object.
  package enum Member {
    /// A key, already passed like its colon: its bytes between the quotes.
    case key(Range<Int>)
    /// The end of the object, already passed.
    case end
    case unreadable
  }

  /// Passes a brace that opens an object; false when none comes next.
  package mutating func beginObject() -> Bool { take(UInt8(ascii: "{")) }

  /// Passes what stands before the value of an object's next member.
  package mutating func nextMember(isFirst: Bool) -> Member {
    if take(UInt8(ascii: "}")) { return .end }
    guard isFirst || take(UInt8(ascii: ",")), let key = takeString(), take(UInt8(ascii: ":"))
    else { return .unreadable }
    return .key(key)
  }

  /// Passes a string; its bytes between the quotes, nil when no such string comes next.
  package mutating func takeString() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    index = text.endOfPlain(from: index)
    while let byte = text[index], byte >= 0x80 {
      let length = text.sequenceLength(at: index)
      guard length > 0 else { return nil }
      index = text.endOfPlain(from: index + length)
    }
    guard text[index] == UInt8(ascii: "\"") else { return nil }
    index += 1
    return start..<index - 1
  }

  /// Whether nothing but white space follows.
  package mutating func isAtEnd() -> Bool {
    index = text.endOfWhiteSpace(from: index)
    return index == text.bytes.count
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    index = text.endOfWhiteSpace(from: index)
    guard text[index] == byte else { return false }
    index += 1
    return true
  }
}
