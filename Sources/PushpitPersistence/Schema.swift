/// The tables, and how those of older versions become today's.
enum Schema {
  /// What each version added to the one before, from the first on.
  ///
  /// Rows of envelopes come in the order of their numbers, so that no index is kept beside them: two of these
  /// would cost ten times as much as the rows themselves (measured).
  private static let steps = [
    """
    CREATE TABLE envelopes(number INTEGER PRIMARY KEY, record BLOB NOT NULL);
    CREATE TABLE annotations(number INTEGER PRIMARY KEY, json BLOB NOT NULL);
    CREATE TABLE credentials(id INTEGER PRIMARY KEY, json BLOB NOT NULL);
    CREATE TABLE steps(number INTEGER NOT NULL, step INTEGER NOT NULL, device TEXT NOT NULL,
      state INTEGER NOT NULL, at INTEGER NOT NULL, cause TEXT NOT NULL, PRIMARY KEY(number, step))
      WITHOUT ROWID;
    CREATE TABLE things(kind TEXT NOT NULL, id TEXT NOT NULL, json BLOB NOT NULL,
      PRIMARY KEY(kind, id)) WITHOUT ROWID;
    """
  ]

  /// Makes the tables, or those that an older file lacks.
  static func prepare(_ connection: Connection) throws(DatabaseError) {
    // The first write: whoever else has the file is found out here.
    try connection.run("BEGIN IMMEDIATE", "open")
    let version = try connection.number("PRAGMA user_version")
    let owner = try connection.number("PRAGMA application_id")
    let tableCount = try connection.number("SELECT count(*) FROM sqlite_schema")
    guard owner == Database.applicationID || (owner == 0 && version == 0 && tableCount == 0) else {
      throw DatabaseError(
        "open", connection.path,
        "it is another program's database; name another file with --data")
    }
    guard version <= Database.version else {
      throw DatabaseError(
        "open", connection.path,
        "a newer Pushpit made it (version \(version), this one knows \(Database.version)); "
          + "name another file with --data")
    }
    for step in steps[Int(version)...] { try connection.run(step, "make the tables of") }
    try connection.run("PRAGMA user_version=\(Database.version)")
    try connection.run("PRAGMA application_id=\(Database.applicationID)")
    try connection.run("COMMIT")
  }
}
