internal import CSQLite

/// A prepared statement; finalized with the object.
final class Statement {
  /// Owned; finalized in `deinit`.
  private let statement: OpaquePointer
  /// The connection's own; it outlives the statement because the database holds both.
  private unowned let connection: Connection

  init(_ connection: Connection, _ sql: String) throws(DatabaseError) {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw connection.error("read or write", code) }
    self.statement = statement
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(statement)
  }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(statement, index, value) }

  /// Numbers of envelopes count from 1 and never come near the sign.
  func bind(_ index: Int32, _ value: UInt64) { bind(index, Int64(bitPattern: value)) }

  func bind(_ index: Int32, _ text: String) {
    sqlite3_bind_text(statement, index, text, -1, shim_SQLITE_TRANSIENT())
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob(
        statement, index, $0.baseAddress, Int32(truncatingIfNeeded: $0.count),
        shim_SQLITE_TRANSIENT())
    }
  }

  /// Runs a statement that gives no rows, and makes it ready for the next values.
  func run() throws(DatabaseError) {
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw connection.error("write", code)
    }
  }

  /// Binds bytes that may be many, runs the statement, and lets go of them: SQLite makes no copy.
  func run(_ index: Int32, lending bytes: [UInt8]) throws(DatabaseError) {
    let code = bytes.withUnsafeBytes { bytes in
      sqlite3_bind_blob(
        statement, index, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count), nil)
      defer { sqlite3_bind_null(statement, index) }
      defer { sqlite3_reset(statement) }
      return sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw connection.error("write", code) }
  }

  /// Goes to the next row; false after the last.
  func next() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(statement)
    guard code != SQLITE_ROW else { return true }
    sqlite3_reset(statement)
    guard code == SQLITE_DONE else { throw connection.error("read", code) }
    return false
  }

  /// Lets go of the row that it stands at.
  func reset() { sqlite3_reset(statement) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
