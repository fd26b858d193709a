package import PushpitJSON
internal import PushpitModel
package import PushpitRecording

/// The file that keeps envelopes and what goes with them over restarts.
///
/// SQLite with a write-ahead log: a batch is a transaction, so a process that is killed loses the batch it
/// was writing and nothing else. It is held for this process alone. Used by one thread at a time.
package final class Database {
  /// The version of the tables that this Pushpit knows.
  package static let version: Int64 = 1
  /// `PUSH`: who the file is by.
  static let applicationID: Int64 = 0x5055_5348

  private let connection: Connection
  private let statements: Statements

  /// Opens a file, or makes one.
  /// - Throws: One line that says what is wrong with it and what to do.
  package init(path: String) throws(DatabaseError) {
    connection = try Connection(path: path)
    // Alone from the first statement on, and without shared memory beside the file.
    try connection.run("PRAGMA locking_mode=EXCLUSIVE", "open")
    try connection.run("PRAGMA journal_mode=WAL", "open")
    try connection.run("PRAGMA synchronous=NORMAL", "open")
    // What is deleted is overwritten.
    try connection.run("PRAGMA secure_delete=ON", "open")
    try Schema.prepare(connection)
    statements = try Statements(connection)
  }

  /// Writes everything that a journal gave, in one transaction.
  package func write(_ batch: [UInt8]) throws(DatabaseError) {
    try connection.run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      for entry in JournalReader(batch) { try statements.write(entry) }
      try connection.run("COMMIT")
    } catch {
      // The batch is lost as a whole; what was there before stays.
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// Calls with each envelope, oldest first.
  package func forEachEnvelope(_ body: (KeptEnvelope) -> Void) throws(DatabaseError) {
    let envelopes = try Statement(
      connection, "SELECT number, record FROM envelopes ORDER BY number")
    let annotations = try Statement(
      connection, "SELECT number, json FROM annotations ORDER BY number")
    let steps = try Statement(
      connection, "SELECT number, device, state, at, cause FROM steps ORDER BY number, step")
    var annotation = try nextAnnotation(annotations)
    var step = try nextStep(steps)
    while try envelopes.next() {
      var envelope = KeptEnvelope(
        number: number(envelopes), record: envelopes.bytes(1), annotation: nil, steps: [])
      while let known = annotation, known.number <= envelope.number {
        if known.number == envelope.number { envelope.annotation = known.json }
        annotation = try nextAnnotation(annotations)
      }
      while let known = step, known.number <= envelope.number {
        if known.number == envelope.number { envelope.steps.append(known.step) }
        step = try nextStep(steps)
      }
      body(envelope)
    }
  }

  /// The credentials that records name, by number.
  package func credentials() throws(DatabaseError) -> [UInt64: JSONValue] {
    let rows = try Statement(connection, "SELECT id, json FROM credentials")
    var credentials: [UInt64: JSONValue] = [:]
    while try rows.next() {
      credentials[number(rows)] = (try? JSONReader.parse(rows.bytes(1))) ?? .null
    }
    return credentials
  }

  /// Everything of a kind, by id.
  package func things(_ kind: String) throws(DatabaseError) -> [(id: String, json: JSONValue)] {
    let rows = try Statement(connection, "SELECT id, json FROM things WHERE kind = ?1 ORDER BY id")
    rows.bind(1, kind)
    var things: [(id: String, json: JSONValue)] = []
    while try rows.next() {
      guard let json = try? JSONReader.parse(rows.bytes(1), depthLimit: JSONReader.recordDepthLimit)
      else { continue }
      things.append((rows.text(0), json))
    }
    return things
  }

  private func number(_ row: Statement) -> UInt64 { UInt64(bitPattern: row.integer(0)) }

  private func nextAnnotation(
    _ rows: Statement
  ) throws(DatabaseError) -> (number: EnvelopeNumber, json: JSONValue)? {
    guard try rows.next() else { return nil }
    return (number(rows), (try? JSONReader.parse(rows.bytes(1))) ?? .null)
  }

  private func nextStep(
    _ rows: Statement
  ) throws(DatabaseError) -> (number: EnvelopeNumber, step: DeliveryStep)? {
    guard try rows.next() else { return nil }
    let states = DeliveryState.allCases
    let state = Int(rows.integer(2))
    return (
      number(rows),
      DeliveryStep(
        device: DeviceID(rows.text(1)),
        state: states.indices.contains(state) ? states[state] : .dropped,
        at: Timestamp(milliseconds: rows.integer(3)), cause: rows.text(4))
    )
  }
}
