package import PushpitModel

extension EnvelopeStore {
  /// A page of the list ends with the envelope that brings it over this many bytes.
  static let pageByteLimit = 8 << 20

  /// One envelope; nil when there is none of this number or it was forgotten.
  package func envelope(_ number: EnvelopeNumber) -> Envelope? {
    record(number).map { decode(number, $0) }
  }

  /// The envelopes that match, newest first, and where the next page begins.
  ///
  /// A page stays where it is while newer envelopes arrive. It ends early when its envelopes have
  /// `pageByteLimit` bytes, because whoever renders it holds the loop meanwhile.
  package func page(_ query: EnvelopeQuery) -> EnvelopePage {
    let limit = min(max(query.limit, 1), EnvelopeQuery.limits.upperBound)
    var items: [Envelope] = []
    var byteCount = 0
    var last: EnvelopeNumber?
    var next: EnvelopeNumber?
    var total = 0
    forEachMatch(query) { number, record in
      total += 1
      if let before = query.before, number >= before { return }
      if next == nil, items.count < limit, byteCount < Self.pageByteLimit {
        items.append(decode(number, record.pointee))
        byteCount += Int(record.pointee.byteCount)
        last = number
      } else if next == nil {
        next = last
      }
    }
    return EnvelopePage(items: items, next: next, total: total, evicted: evictedCount)
  }

  /// How many envelopes match.
  package func count(of query: EnvelopeQuery) -> Int {
    var total = 0
    forEachMatch(query) { _, _ in total += 1 }
    return total
  }

  /// Forgets the envelopes that match, whatever the page, and returns how many they were.
  @discardableResult
  package func remove(_ query: EnvelopeQuery) -> Int {
    var numbers: [EnvelopeNumber] = []
    forEachMatch(query) { number, _ in numbers.append(number) }
    // Oldest first, so that memory is given back on the way.
    for number in numbers.reversed() { forget(number) }
    return numbers.count
  }

  /// Forgets the oldest envelopes of a workspace beyond so many, and counts them as evicted.
  package func trim(_ workspace: WorkspaceID, to limit: Int) {
    var count = 0
    var beyond: [EnvelopeNumber] = []
    forEachMatch(EnvelopeQuery(workspace: workspace)) { number, _ in
      count += 1
      if count > limit { beyond.append(number) }
    }
    for number in beyond.reversed() { forget(number) }
    noteTrimmed(beyond.count)
  }

  /// Calls with each match, newest first; the record is where the ring has it.
  ///
  /// Copying a record would count its references up and down, which is most of what asking one costs.
  private func forEachMatch(
    _ query: EnvelopeQuery, _ body: (EnvelopeNumber, UnsafePointer<EnvelopeRecord>) -> Void
  ) {
    let matcher = EnvelopeMatcher(query)
    ring.withUnsafeBufferPointer { ring in
      guard let start = ring.baseAddress else { return }
      var number = nextNumber
      while number > oldestNumber {
        number -= 1
        let record = start + slot(number)
        if record.pointee.flags.contains(.removed) { continue }
        let matches = withBytes(of: record.pointee.place, count: record.pointee.byteCount) {
          matcher.matches(
            record, bytes: $0, annotation: annotation(number, record.pointee.flags),
            laterSteps: laterSteps(number, record.pointee)
          ) && hasWarning(query.warning, number, record, $0)
        }
        if matches { body(number, record) }
      }
    }
  }

  /// Lends the records that match to a matcher, newest first.
  func forEachSubject(_ query: EnvelopeQuery, _ body: (RecordSubject) -> Void) {
    forEachMatch(query) { number, record in
      withBytes(of: record.pointee.place, count: record.pointee.byteCount) {
        body(subject(number, record.pointee, $0))
      }
    }
  }

  /// Lends a record to matchers; nothing when it is forgotten.
  func withSubject(_ number: EnvelopeNumber, _ body: (RecordSubject) -> Void) {
    guard let record = record(number) else { return }
    withBytes(of: record.place, count: record.byteCount) { body(subject(number, record, $0)) }
  }

  private func subject(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, _ bytes: RecordByteReader
  ) -> RecordSubject {
    let steps = record.firstStep.map { [$0] + laterSteps(number, record) } ?? []
    return RecordSubject(
      number, record, bytes, annotation: annotations[number], steps: steps, lint: lint)
  }

  /// Lends what an analysis needs of a workspace's records, oldest first, from a number on.
  func forEachSent(
    from first: EnvelopeNumber, in workspace: WorkspaceID, _ body: (SentRequest) -> Void
  ) {
    let name = Array(workspace.rawValue.utf8)
    var number = max(first, oldestNumber)
    while number < nextNumber {
      defer { number += 1 }
      guard let record = record(number) else { continue }
      withBytes(of: record.place, count: record.byteCount) { bytes in
        guard bytes.piece(.workspace).elementsEqual(name) else { return }
        body(
          SentRequest(
            number, record, bytes,
            diagnosis: annotation(number, record.flags)?.diagnosis?.code))
      }
    }
  }

  private func annotation(
    _ number: EnvelopeNumber, _ flags: EnvelopeRecord.Flags
  ) -> EnvelopeAnnotation? {
    flags.contains(.annotated) ? annotations[number] : nil
  }

  private func decode(_ number: EnvelopeNumber, _ record: EnvelopeRecord) -> Envelope {
    withBytes(of: record.place, count: record.byteCount) {
      Envelope(
        number, record, $0, annotation: annotations[number],
        laterSteps: laterSteps(number, record), lint: lint)
    }
  }

  /// Whether an envelope has a warning of this code, or none is asked for.
  ///
  /// Lint reads a record's payload, so this is asked last, of what matches otherwise.
  private func hasWarning(
    _ code: String?, _ number: EnvelopeNumber, _ record: UnsafePointer<EnvelopeRecord>,
    _ bytes: RecordByteReader
  ) -> Bool {
    guard let code else { return true }
    if let warnings = annotations[number]?.warnings, warnings.contains(where: { $0.code == code }) {
      return true
    }
    guard let payload = record.pointee.payload(of: Array(bytes.piece(.body))) else { return false }
    return lint(record.pointee.recordedPush(bytes, payload: payload)).contains { $0.code == code }
  }

  private func laterSteps(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord
  ) -> [DeliveryStep] {
    let later = record.flags.contains(.hasHistory) ? histories[number] ?? [] : []
    return record.secondStep.map { [$0] + later } ?? later
  }

  private func withBytes<Result>(
    of place: ByteSlab.Place, count: UInt32, _ body: (RecordByteReader) -> Result
  ) -> Result {
    slab.withBytes(at: place, count: Int(count)) {
      body(RecordByteReader(UnsafeRawBufferPointer($0)))
    }
  }
}
