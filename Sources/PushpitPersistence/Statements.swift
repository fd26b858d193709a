internal import PushpitModel
internal import PushpitRecording

/// The statements of a batch, prepared once.
final class Statements {
  private let envelope: Statement
  private let annotation: Statement
  private let credential: Statement
  private let step: Statement
  private let removals: [Statement]
  private let evictions: [Statement]
  private let thing: Statement
  private let thingGone: Statement
  /// Keeps the steps of an envelope in order.
  private var stepNumber: Int64

  init(_ connection: Connection) throws(DatabaseError) {
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
      try Statement(connection, sql)
    }
    envelope = try prepare("INSERT OR REPLACE INTO envelopes VALUES(?1, ?2)")
    annotation = try prepare("INSERT OR REPLACE INTO annotations VALUES(?1, ?2)")
    credential = try prepare("INSERT OR REPLACE INTO credentials VALUES(?1, ?2)")
    step = try prepare("INSERT INTO steps VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    thing = try prepare("INSERT OR REPLACE INTO things VALUES(?1, ?2, ?3)")
    thingGone = try prepare("DELETE FROM things WHERE kind = ?1 AND id = ?2")
    var removals: [Statement] = []
    var evictions: [Statement] = []
    for table in ["envelopes", "annotations", "steps"] {
      removals.append(try prepare("DELETE FROM \(table) WHERE number = ?1"))
      evictions.append(try prepare("DELETE FROM \(table) WHERE number < ?1"))
    }
    self.removals = removals
    self.evictions = evictions
    stepNumber = try connection.number("SELECT coalesce(max(step), 0) FROM steps")
  }

  func write(_ entry: JournalEntry) throws(DatabaseError) {
    switch entry {
    case .envelope(let number, let record): try insert(envelope, number, record)
    case .annotation(let number, let json): try insert(annotation, number, json)
    case .credential(let number, let json): try insert(credential, number, json)
    case .step(let number, let made): try insert(made, of: number)
    case .removed(let number): try delete(removals, number)
    case .evicted(let number): try delete(evictions, number)
    case .thing(let kind, let id, let json?):
      thing.bind(1, kind)
      thing.bind(2, id)
      thing.bind(3, json)
      try thing.run()
    case .thing(let kind, let id, nil):
      thingGone.bind(1, kind)
      thingGone.bind(2, id)
      try thingGone.run()
    }
  }

  private func insert(
    _ statement: Statement, _ number: UInt64, _ bytes: [UInt8]
  ) throws(DatabaseError) {
    statement.bind(1, number)
    statement.bind(2, bytes)
    try statement.run()
  }

  private func insert(_ made: DeliveryStep, of number: EnvelopeNumber) throws(DatabaseError) {
    stepNumber += 1
    step.bind(1, number)
    step.bind(2, stepNumber)
    step.bind(3, made.device.rawValue)
    step.bind(4, Int64(made.state.index))
    step.bind(5, made.at.milliseconds)
    step.bind(6, made.cause)
    try step.run()
  }

  private func delete(_ statements: [Statement], _ number: UInt64) throws(DatabaseError) {
    for statement in statements {
      statement.bind(1, number)
      try statement.run()
    }
  }
}
