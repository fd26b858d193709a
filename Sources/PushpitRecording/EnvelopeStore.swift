internal import PushpitHTTPTypes
package import PushpitModel

/// The newest envelopes, in a ring that is bounded by count and by bytes.
///
/// Appending is on the path of every request: it writes one fixed record and copies the request's
/// bytes once. What is decoded, searched or shown is done when somebody reads. Owned by the loop.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change calls nothing but the slab and the tables themselves.
package final class EnvelopeStore {
  /// At most this many envelopes are kept.
  package let countLimit: Int
  /// At most this many bytes of requests are held; the fixed records come on top.
  package var byteLimit: Int { slab.byteLimit }
  /// Delivery steps kept for one envelope; a push to a topic can have very many.
  package static let stepLimit = 10_000
  /// Keeps credentials whole instead of cutting them.
  package let recordsCredentials: Bool
  /// Asked of accepted pushes when they are read.
  let lint: PushLint
  /// Told of all that is recorded, for a disk; nil where nothing is kept.
  @exclusivity(unchecked) package var journal: RecordJournal?

  /// How many envelopes were forgotten because a limit was reached.
  @exclusivity(unchecked) package private(set) var evictedCount: UInt64 = 0
  /// How many delivery steps were not kept because an envelope had `stepLimit` of them.
  package private(set) var forgottenStepCount: UInt64 = 0
  /// Envelopes that are kept.
  @exclusivity(unchecked) package private(set) var count = 0
  /// Envelopes recorded since the start, at twice the service's index, plus one when accepted.
  @exclusivity(unchecked)
  private var recordedCounts = [UInt64](repeating: 0, count: PushService.allCases.count * 2)

  @exclusivity(unchecked) private(set) var slab: ByteSlab
  /// The record of number n is at `(n - 1) % countLimit`.
  @exclusivity(unchecked) private(set) var ring: [EnvelopeRecord] = []
  /// The number of the oldest record in the ring; equal to `nextNumber` when it is empty.
  @exclusivity(unchecked) private(set) var oldestNumber: EnvelopeNumber = 1
  @exclusivity(unchecked) private(set) var nextNumber: EnvelopeNumber = 1
  /// By number; only for records that are flagged so.
  private(set) var annotations: [EnvelopeNumber: EnvelopeAnnotation] = [:]
  /// Delivery steps after the first, by number; only for records that are flagged so.
  private(set) var histories: [EnvelopeNumber: [DeliveryStep]] = [:]

  package init(
    countLimit: Int = 50_000, byteLimit: Int = 64 << 20, recordsCredentials: Bool = false,
    lint: @escaping PushLint = { _ in [] }
  ) {
    precondition(countLimit > 0, "a store keeps at least one envelope")
    self.countLimit = countLimit
    self.recordsCredentials = recordsCredentials
    self.lint = lint
    slab = ByteSlab(byteLimit: byteLimit)
    // Memory that is not touched costs nothing, and a growing ring is copied in the midst of pushes.
    ring.reserveCapacity(countLimit)
  }

  /// Bytes of memory that hold requests now.
  package var heldByteCount: Int { slab.heldByteCount }

  /// The number that the next envelope gets.
  package var nextEnvelope: EnvelopeNumber { nextNumber }

  /// How many envelopes of a service were recorded since the start, with one outcome.
  package func recordedCount(_ service: PushService, isAccepted: Bool) -> UInt64 {
    recordedCounts[service.index * 2 + (isAccepted ? 1 : 0)]
  }

  /// Records a request, and forgets the oldest ones when a limit is reached.
  @discardableResult
  package func append(
    _ request: PushRequest, _ outcome: PushOutcome, _ origin: EnvelopeOrigin
  ) -> EnvelopeNumber {
    var target: [UInt8]?
    var body: [UInt8]?
    if !recordsCredentials {
      target = CredentialCut.target(request.head.target, service: outcome.service)
      body = CredentialCut.body(request.body, head: request.head, service: outcome.service)
    }
    let bound =
      EnvelopeEncoder.byteBound(request, outcome, origin) + (target?.count ?? 0)
      + (body?.count ?? 0)
    if nextNumber - oldestNumber == UInt64(countLimit) { evictOldest() }
    while !slab.hasRoom(bound), oldestNumber < nextNumber { evictOldest() }
    let byteCount = EnvelopeEncoder.write(
      request, outcome, origin, to: slab.reserve(bound), target: target, body: body,
      keepingCredentials: recordsCredentials)
    let place = slab.commit(byteCount)
    let number = nextNumber
    nextNumber += 1
    count += 1
    recordedCounts[outcome.service.index * 2 + (outcome.isAccepted ? 1 : 0)] += 1
    if outcome.isAnnotated {
      annotations[number] = EnvelopeAnnotation(
        diagnosis: outcome.diagnosis, warnings: outcome.warnings)
    }
    let slot = slot(number)
    let record = EnvelopeEncoder.record(
      request, outcome, origin, place: place, byteCount: byteCount)
    if slot == ring.count { ring.append(record) } else { ring[slot] = record }
    if let journal { note(number, record, in: journal) }
    return number
  }

  @inline(never)
  private func note(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, in journal: RecordJournal
  ) {
    slab.withBytes(at: record.place, count: Int(record.byteCount)) {
      journal.noteEnvelope(number, record, UnsafeRawBufferPointer($0))
    }
    if let annotation = annotations[number], record.flags.contains(.annotated) {
      journal.noteAnnotation(number, annotation)
    }
  }

  /// Takes the next place for a record that a disk has; the numbers between are those of deleted ones.
  /// - Returns: False when the bytes are not a record's.
  func restore(
    _ number: EnvelopeNumber, _ image: RecordImage, _ content: ArraySlice<UInt8>,
    credential: CredentialFacts?, annotation: EnvelopeAnnotation?
  ) -> Bool {
    guard content.withUnsafeBytes({ RecordByteReader.isWhole($0) }) else { return false }
    if number - nextNumber >= UInt64(countLimit) || count == 0 {
      while oldestNumber < nextNumber { evictOldest() }
      nextNumber = number
      oldestNumber = number
    }
    while nextNumber < number { restore(image, [], credential: nil, isGap: true) }
    guard restore(image, content, credential: credential, isGap: false) else { return false }
    if let annotation { annotations[number] = annotation }
    return true
  }

  @discardableResult
  private func restore(
    _ image: RecordImage, _ content: ArraySlice<UInt8>, credential: CredentialFacts?, isGap: Bool
  ) -> Bool {
    let byteCount = content.count
    if nextNumber - oldestNumber == UInt64(countLimit) { evictOldest() }
    while !slab.hasRoom(byteCount + 1), oldestNumber < nextNumber { evictOldest() }
    let memory = slab.reserve(byteCount + 1)
    content.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: byteCount) }
    }
    let place = slab.commit(byteCount)
    guard var record = image.record(place: place, byteCount: byteCount, credential: credential)
    else {
      slab.release(chunk: place.chunk)
      return false
    }
    if isGap { record.flags = .removed }
    let slot = slot(nextNumber)
    // What was before the oldest is not read.
    while ring.count <= slot { ring.append(record) }
    ring[slot] = record
    nextNumber += 1
    if !isGap { count += 1 }
    return true
  }

  /// Adds a step to the life of an envelope on a device; nothing when the envelope is forgotten.
  package func noteDelivery(_ envelope: EnvelopeNumber, _ step: DeliveryStep) {
    guard envelope >= oldestNumber, envelope < nextNumber else { return }
    let slot = slot(envelope)
    guard !ring[slot].flags.contains(.removed) else { return }
    if let journal { journal.noteStep(envelope, step) }
    guard let first = ring[slot].firstStep else {
      ring[slot].firstStep = step
      return
    }
    let flags = ring[slot].flags
    if !flags.contains(.hasHistory), ring[slot].reaction == nil, first.at == step.at,
      first.device == step.device
    {
      // Nearly all pushes have these two steps and no more.
      ring[slot].reaction = EnvelopeRecord.Reaction(state: step.state, cause: step.cause)
      return
    }
    ring[slot].flags.insert(.hasHistory)
    let inlineCount = ring[slot].reaction == nil ? 1 : 2
    if histories[envelope, default: []].count >= Self.stepLimit - inlineCount {
      forgottenStepCount += 1
    } else {
      histories[envelope, default: []].append(step)
    }
  }

  /// The record of a number that is in the ring.
  func record(_ number: EnvelopeNumber) -> EnvelopeRecord? {
    guard number >= oldestNumber, number < nextNumber else { return nil }
    let record = ring[slot(number)]
    return record.flags.contains(.removed) ? nil : record
  }

  /// Forgets one envelope: its bytes become zero at once, its place is free when it is the oldest.
  func forget(_ number: EnvelopeNumber) {
    guard let record = record(number) else { return }
    let slot = slot(number)
    slab.withBytes(at: record.place, count: Int(record.byteCount)) { bytes in
      _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }
    dropSides(number, record)
    journal?.noteRemoval(number)
    ring[slot].flags = .removed
    ring[slot].credential = nil
    ring[slot].firstStep = nil
    ring[slot].reaction = nil
    count -= 1
    while oldestNumber < nextNumber, ring[self.slot(oldestNumber)].flags.contains(.removed) {
      evictOldest()
    }
  }

  /// Counts envelopes that were forgotten because of their workspace's limit.
  func noteTrimmed(_ count: Int) {
    evictedCount += UInt64(count)
  }

  private func evictOldest() {
    let slot = slot(oldestNumber)
    let flags = ring[slot].flags
    if !flags.contains(.removed) {
      evictedCount += 1
      count -= 1
      if !flags.isDisjoint(with: [.annotated, .hasHistory]) {
        dropSides(oldestNumber, ring[slot])
      }
    }
    slab.release(chunk: ring[slot].place.chunk)
    oldestNumber += 1
    if let journal { journal.noteEviction(before: oldestNumber) }
  }

  private func dropSides(_ number: EnvelopeNumber, _ record: EnvelopeRecord) {
    if record.flags.contains(.annotated) { annotations[number] = nil }
    if record.flags.contains(.hasHistory) { histories[number] = nil }
  }

  /// Where the ring has the record of a number.
  func slot(_ number: EnvelopeNumber) -> Int {
    Int((number - 1) % UInt64(countLimit))
  }
}

extension PushService {
  /// The place of a service in a table of counts.
  fileprivate var index: Int {
    switch self {
    case .apns: 0
    case .fcm: 1
    case .iid: 2
    case .oauth: 3
    case .unknown: 4
    }
  }
}
