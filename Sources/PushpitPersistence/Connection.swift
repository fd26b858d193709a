internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A connection to one SQLite file; closed with the object.
final class Connection {
  let path: String
  /// Owned; closed in `deinit`.
  let handle: OpaquePointer

  /// Opens a file, or makes one that only its owner can read.
  init(path: String) throws(DatabaseError) {
    self.path = path
    // SQLite would make it with the umask's rights; its -wal file gets those of the file.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseError("open", path, String(cString: strerror(errno)))
    }
    close(descriptor)
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw DatabaseError("open", path, String(cString: sqlite3_errstr(code)), code: code)
    }
    self.handle = handle
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that give no rows.
  func run(_ sql: String, _ operation: String = "write") throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(operation, code) }
  }

  /// Runs a statement whose failure changes nothing that matters.
  func runIfPossible(_ sql: String) {
    sqlite3_exec(handle, sql, nil, nil, nil)
  }

  /// The one number that a statement gives.
  func number(_ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try Statement(self, sql)
    return try statement.next() ? statement.integer(0) : 0
  }

  /// The error that SQLite has just reported.
  func error(_ operation: String, _ code: Int32) -> DatabaseError {
    let primary = code & 0xFF
    let reason =
      switch primary {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "another gateway uses it; give each a file of its own with --data"
      case SQLITE_NOTADB, SQLITE_CORRUPT:
        "it is no file of Pushpit's (\(String(cString: sqlite3_errmsg(handle)))); "
          + "move it away, or name another with --data"
      default: String(cString: sqlite3_errmsg(handle))
      }
    return DatabaseError(operation, path, reason, code: primary)
  }
}
