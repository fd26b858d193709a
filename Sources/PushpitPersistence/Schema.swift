/// The tables, and how those of older versions become today's.
enum Schema {
  /// What each version added to the one before, from the first on.
  ///
  /// What happened to envelopes is kept as it was journalled, a batch a row: a row for each envelope and step cost
  /// six times as much (measured), and nobody asks the file but at the start.
  private static let steps = [
    """
    CREATE TABLE batches(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
      entries BLOB NOT NULL);
    CREATE INDEX batches_by_last ON batches(last);
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
