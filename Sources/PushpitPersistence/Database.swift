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
    // Batches are long: fewer pages are fewer writes, a tenth of what keeping a push costs (measured).
    try connection.run("PRAGMA page_size=65536", "open")
    try connection.run("PRAGMA journal_mode=WAL", "open")
    // A batch waits while the log is moved into the file, and waits for the disk: 4 MiB at a time, so that
    // what a kill can lose stays below 100 ms.
    try connection.run("PRAGMA wal_autocheckpoint=64", "open")
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)", "open")
    try connection.run("PRAGMA synchronous=NORMAL", "open")
    try Schema.prepare(connection)
    statements = try Statements(connection)
  }

  /// Writes everything that a journal gave, in one transaction.
  package func write(_ batch: [UInt8]) throws(DatabaseError) {
    try connection.run("BEGIN IMMEDIATE")
    let hasRemoved: Bool
    do throws(DatabaseError) {
      hasRemoved = try statements.write(batch)
      try connection.run("COMMIT")
    } catch {
      // The batch is lost as a whole; what was there before stays.
      try? connection.run("ROLLBACK")
      throw error
    }
    // What was removed stands in the log too, until that is begun anew.
    if hasRemoved { try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// All envelopes, in order.
  package func envelopes() throws(DatabaseError) -> [KeptEnvelope] {
    let batches = try Statement(connection, "SELECT entries FROM batches ORDER BY id")
    var envelopes: [EnvelopeNumber: KeptEnvelope] = [:]
    while try batches.next() {
      var credentials: [UInt64: CredentialFacts] = [:]
      for entry in JournalReader(batches.bytes(0)) {
        switch entry {
        case .envelope(let number, let record):
          envelopes[number] = KeptEnvelope(
            number: number, record: record, credentials: credentials)
        case .annotation(let number, let json):
          envelopes[number]?.annotation = (try? JSONReader.parse(json)) ?? .null
        case .step(let number, let step): envelopes[number]?.steps.append(step)
        case .credential(let number, let json):
          credentials[number] = (try? JSONReader.parse(json)).flatMap(CredentialFacts.read)
        case .removed, .evicted, .thing: break
        }
      }
    }
    return envelopes.values.sorted { $0.number < $1.number }
  }

  /// How many batches there are.
  func batchCount() throws(DatabaseError) -> Int {
    Int(try connection.number("SELECT count(*) FROM batches"))
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
}
