package import PushpitModel

/// One thing that happened to what is kept, as somebody who writes it to a disk sees it.
package enum JournalEntry: Sendable, Equatable {
  /// An envelope was recorded: its fixed part and its bytes.
  case envelope(EnvelopeNumber, [UInt8])
  /// What a record says for people, as JSON.
  case annotation(EnvelopeNumber, [UInt8])
  /// A credential that records of the batch name by its number, as JSON.
  case credential(UInt64, [UInt8])
  case step(EnvelopeNumber, DeliveryStep)
  /// An envelope was deleted.
  case removed(EnvelopeNumber)
  /// Envelopes before this one are forgotten.
  case evicted(before: EnvelopeNumber)
  /// Something of a kind is so from now on, as JSON; nil when it is gone.
  case thing(kind: String, id: String, [UInt8]?)
}

/// The kinds of entries as bytes; zero is a place whose entry was removed.
package enum JournalMark: UInt8, Sendable {
  case gone = 0
  case envelope, annotation, credential, step, removed, evicted, thing, thingGone

  /// Whether it is about an envelope, whose number it begins with.
  package var isOfEnvelope: Bool {
    switch self {
    case .envelope, .annotation, .step: true
    case .gone, .credential, .removed, .evicted, .thing, .thingGone: false
    }
  }
}

/// Where an entry lies in a batch, without having read it.
package struct JournalPlace: Sendable {
  /// Bytes of mark and length before the entry.
  package static let headCount = 5

  package let mark: JournalMark
  /// What it begins with; nothing sensible for things.
  package let number: UInt64
  /// The bytes of the entry, without mark and length.
  package let range: Range<Int>
}

/// Reads the entries of a batch that a journal gave.
///
/// A batch that was damaged on the disk ends where that shows.
package struct JournalReader: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var offset = 0

  package init(_ batch: [UInt8]) {
    bytes = batch
  }

  /// The place of the next entry, which is passed over; nil at the end.
  package mutating func nextPlace() -> JournalPlace? {
    guard offset + JournalPlace.headCount <= bytes.count,
      let mark = JournalMark(rawValue: bytes[offset])
    else { return nil }
    let length = Int(integer(UInt32.self, at: offset + 1))
    let start = offset + JournalPlace.headCount
    guard start + length <= bytes.count else { return nil }
    offset = start + length
    return JournalPlace(
      mark: mark, number: length >= 8 ? integer(UInt64.self, at: start) : 0, range: start..<offset)
  }

  /// The next entry; nil at the end.
  package mutating func next() -> JournalEntry? {
    while let place = nextPlace() {
      if let entry = entry(at: place) { return entry }
    }
    return nil
  }

  /// The entry of a place; nil when it was removed, or is damaged.
  package func entry(at place: JournalPlace) -> JournalEntry? {
    let (number, end) = (place.number, place.range.upperBound)
    let rest = Swift.min(place.range.lowerBound + 8, end)
    switch place.mark {
    case .gone: return nil
    case .envelope: return .envelope(number, Array(bytes[rest..<end]))
    case .annotation: return .annotation(number, Array(bytes[rest..<end]))
    case .credential: return .credential(number, Array(bytes[rest..<end]))
    case .step: return step(in: rest..<end).map { .step(number, $0) }
    case .removed: return .removed(number)
    case .evicted: return .evicted(before: number)
    case .thing, .thingGone:
      guard let (kind, afterKind) = text(at: place.range.lowerBound, before: end),
        let (id, afterID) = text(at: afterKind, before: end)
      else { return nil }
      return .thing(
        kind: kind, id: id, place.mark == .thing ? Array(bytes[afterID..<end]) : nil)
    }
  }

  /// The number of the credential that an envelope's entry names; zero for none.
  package func credential(of envelope: JournalPlace) -> UInt64 {
    let record = bytes[envelope.range].dropFirst(8)
    return RecordImage(record)?.credential ?? 0
  }

  private func step(in range: Range<Int>) -> DeliveryStep? {
    let states = DeliveryState.allCases
    let (start, end) = (range.lowerBound, range.upperBound)
    guard range.count >= 9, states.indices.contains(Int(bytes[start])),
      let (device, afterDevice) = text(at: start + 9, before: end),
      let (cause, _) = text(at: afterDevice, before: end)
    else { return nil }
    return DeliveryStep(
      device: DeviceID(device), state: states[Int(bytes[start])],
      at: Timestamp(milliseconds: integer(Int64.self, at: start + 1)), cause: cause)
  }

  /// A text with its length of 16 bits before it, and where what follows begins.
  private func text(at start: Int, before limit: Int) -> (text: String, end: Int)? {
    guard start + 2 <= limit else { return nil }
    let end = start + 2 + Int(integer(UInt16.self, at: start))
    guard end <= limit else { return nil }
    return (String(decoding: bytes[start + 2..<end], as: UTF8.self), end)
  }

  private func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type, at offset: Int
  ) -> Value {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
  }
}
