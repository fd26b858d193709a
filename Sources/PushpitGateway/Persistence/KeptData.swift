internal import PushpitJSON
internal import PushpitPersistence
internal import PushpitRecording

/// Everything that a file has, read at once.
struct KeptData: Sendable {
  /// Something that is kept as JSON.
  typealias Thing = (id: String, json: JSONValue)

  let envelopes: [KeptEnvelope]
  /// Those that envelopes name, by number.
  let credentials: [UInt64: JSONValue]
  let clocks: [Thing]
  let workspaces: [Thing]
  /// In the order in which they were made.
  let devices: [Thing]

  init(_ database: borrowing Database) throws(DatabaseError) {
    credentials = try database.credentials()
    envelopes = try database.envelopes()
    clocks = try database.things(DataKeeper.Kind.clock.rawValue)
    workspaces = try database.things(DataKeeper.Kind.workspace.rawValue)
    devices = try database.things(DataKeeper.Kind.device.rawValue).sorted {
      $0.json["serial"]?.intValue ?? 0 < $1.json["serial"]?.intValue ?? 0
    }
  }

  /// The credentials as the journal knows them.
  var knownCredentials: [(number: UInt64, fingerprint: String)] {
    credentials.compactMap { number, json in
      guard let kind = json["kind"]?.stringValue, let mark = json["fingerprint"]?.stringValue
      else { return nil }
      return (number, kind + mark)
    }
  }
}
