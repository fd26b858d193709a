internal import PushpitModel
internal import PushpitRecording

/// The statements of a batch, prepared once.
final class Statements {
  private let connection: Connection
  private let batch: Statement
  private let eviction: Statement
  private let thing: Statement
  private let thingGone: Statement
  private let overlapping: Statement
  private let entries: Statement
  private let change: Statement
  private let removal: Statement

  init(_ connection: Connection) throws(DatabaseError) {
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
      try Statement(connection, sql)
    }
    self.connection = connection
    batch = try prepare("INSERT INTO batches(first, last, entries) VALUES(?1, ?2, ?3)")
    eviction = try prepare("DELETE FROM batches WHERE last < ?1")
    thing = try prepare("INSERT OR REPLACE INTO things VALUES(?1, ?2, ?3)")
    thingGone = try prepare("DELETE FROM things WHERE kind = ?1 AND id = ?2")
    overlapping = try prepare("SELECT id FROM batches WHERE last >= ?1 AND first <= ?2")
    entries = try prepare("SELECT entries FROM batches WHERE id = ?1")
    change = try prepare("UPDATE batches SET entries = ?2 WHERE id = ?1")
    removal = try prepare("DELETE FROM batches WHERE id = ?1")
  }

  /// Writes a batch in the transaction that is open.
  /// - Returns: Whether something was removed that must not be found in the file any more.
  func write(_ bytes: [UInt8]) throws(DatabaseError) -> Bool {
    var reader = JournalReader(bytes)
    var first = UInt64.max
    var last: UInt64 = 0
    var removed: Set<EnvelopeNumber> = []
    var evictedBefore: EnvelopeNumber = 0
    while let place = reader.nextPlace() {
      if place.mark.isOfEnvelope {
        first = min(first, place.number)
        last = max(last, place.number)
        continue
      }
      switch reader.entry(at: place) {
      case .thing(let kind, let id, let json)?: try write(kind, id, json)
      case .removed(let number)?: removed.insert(number)
      case .evicted(let number)?: evictedBefore = max(evictedBefore, number)
      case .envelope, .annotation, .step, .credential, nil: break
      }
    }
    if last > 0 {
      batch.bind(1, first)
      batch.bind(2, last)
      try batch.run(3, lending: bytes)
    }
    // What was removed is overwritten; what is only forgotten need not be.
    try remove(removed)
    if evictedBefore > 0 {
      eviction.bind(1, evictedBefore)
      try eviction.run()
    }
    return !removed.isEmpty
  }

  private func write(_ kind: String, _ id: String, _ json: [UInt8]?) throws(DatabaseError) {
    let statement = json == nil ? thingGone : thing
    statement.bind(1, kind)
    statement.bind(2, id)
    if let json { statement.bind(3, json) }
    try statement.run()
  }

  /// Overwrites what batches have of envelopes; those that have nothing else go.
  private func remove(_ numbers: Set<EnvelopeNumber>) throws(DatabaseError) {
    guard let first = numbers.min(), let last = numbers.max() else { return }
    try connection.run("PRAGMA secure_delete=ON")
    defer { connection.runIfPossible("PRAGMA secure_delete=OFF") }
    overlapping.bind(1, first)
    overlapping.bind(2, last)
    var ids: [Int64] = []
    while try overlapping.next() { ids.append(overlapping.integer(0)) }
    for id in ids {
      entries.bind(1, id)
      guard try entries.next() else { continue }
      let old = entries.bytes(0)
      entries.reset()
      let (new, hasRest) = Self.overwritten(old, numbers)
      guard let new else { continue }
      let statement = hasRest ? change : removal
      statement.bind(1, id)
      if hasRest { statement.bind(2, new) }
      try statement.run()
    }
  }

  /// A batch with zeros where it was about these envelopes and credentials that only they name, nil when it
  /// was not, and whether it is about others.
  private static func overwritten(
    _ bytes: [UInt8], _ numbers: Set<EnvelopeNumber>
  ) -> (bytes: [UInt8]?, hasRest: Bool) {
    var reader = JournalReader(bytes)
    var gone: [JournalPlace] = []
    var credentials: [JournalPlace] = []
    var named: Set<UInt64> = []
    var hasRest = false
    while let place = reader.nextPlace() {
      if place.mark == .credential { credentials.append(place) }
      guard place.mark.isOfEnvelope else { continue }
      guard !numbers.contains(place.number) else {
        gone.append(place)
        continue
      }
      hasRest = true
      if place.mark == .envelope { named.insert(reader.credential(of: place)) }
    }
    guard !gone.isEmpty else { return (nil, hasRest) }
    gone += credentials.filter { !named.contains($0.number) }
    var new = bytes
    for place in gone {
      new[place.range.lowerBound - JournalPlace.headCount] = JournalMark.gone.rawValue
      for index in place.range { new[index] = 0 }
    }
    return (new, hasRest)
  }
}
