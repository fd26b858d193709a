package import PushpitModel

/// One thing that happened to what is kept, as somebody who writes it to a disk sees it.
package enum JournalEntry: Sendable, Equatable {
  /// An envelope was recorded: its fixed part and its bytes.
  case envelope(EnvelopeNumber, [UInt8])
  /// What a record says for people, as JSON.
  case annotation(EnvelopeNumber, [UInt8])
  /// A credential that records name by its number, as JSON.
  case credential(UInt64, [UInt8])
  case step(EnvelopeNumber, DeliveryStep)
  /// An envelope was deleted.
  case removed(EnvelopeNumber)
  /// Envelopes before this one are forgotten.
  case evicted(before: EnvelopeNumber)
  /// Something of a kind is so from now on, as JSON; nil when it is gone.
  case thing(kind: String, id: String, [UInt8]?)
}

/// The kinds of entries as bytes.
enum JournalMark {
  static let envelope: UInt8 = 1
  static let annotation: UInt8 = 2
  static let credential: UInt8 = 3
  static let step: UInt8 = 4
  static let removed: UInt8 = 5
  static let evicted: UInt8 = 6
  static let thing: UInt8 = 7
  static let thingGone: UInt8 = 8
}

/// Reads the entries of a batch that a journal gave, which has no errors.
package struct JournalReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var offset = 0

  package init(_ batch: [UInt8]) {
    bytes = batch
  }

  /// The next entry; nil at the end.
  package mutating func next() -> JournalEntry? {
    guard offset < bytes.count else { return nil }
    let mark = bytes[offset]
    let length = Int(integer(UInt32.self, at: offset + 1))
    let start = offset + 5
    offset = start + length
    let number = length >= 8 ? integer(UInt64.self, at: start) : 0
    let rest = start + 8
    switch mark {
    case JournalMark.envelope: return .envelope(number, Array(bytes[rest..<offset]))
    case JournalMark.annotation: return .annotation(number, Array(bytes[rest..<offset]))
    case JournalMark.credential: return .credential(number, Array(bytes[rest..<offset]))
    case JournalMark.step: return .step(number, step(at: rest))
    case JournalMark.removed: return .removed(number)
    case JournalMark.evicted: return .evicted(before: number)
    case JournalMark.thing, JournalMark.thingGone:
      let (kind, afterKind) = text(at: start)
      let (id, afterID) = text(at: afterKind)
      let json = mark == JournalMark.thing ? Array(bytes[afterID..<offset]) : nil
      return .thing(kind: kind, id: id, json)
    default: preconditionFailure("a journal has entries of its own kinds only")
    }
  }

  private func step(at start: Int) -> DeliveryStep {
    let (device, afterDevice) = text(at: start + 9)
    return DeliveryStep(
      device: DeviceID(device), state: DeliveryState.allCases[Int(bytes[start])],
      at: Timestamp(milliseconds: integer(Int64.self, at: start + 1)),
      cause: text(at: afterDevice).text)
  }

  /// A text with its length of 16 bits before it, and where what follows begins.
  private func text(at start: Int) -> (text: String, end: Int) {
    let end = start + 2 + Int(integer(UInt16.self, at: start))
    return (String(decoding: bytes[start + 2..<end], as: UTF8.self), end)
  }

  private func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type, at offset: Int
  ) -> Value {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
  }
}
