internal import PushpitJSON
internal import PushpitPersistence
internal import PushpitRecording

/// Everything that a file has, read at once.
struct KeptData: Sendable {
  /// Something that is kept as JSON.
  typealias Thing = (id: String, json: JSONValue)

  let envelopes: [KeptEnvelope]
  let clocks: [Thing]
  let workspaces: [Thing]
  /// In the order in which they were made.
  let devices: [Thing]

  init(_ database: borrowing Database) throws(DatabaseError) {
    envelopes = try database.envelopes()
    clocks = try database.things(DataKeeper.Kind.clock.rawValue)
    workspaces = try database.things(DataKeeper.Kind.workspace.rawValue)
    devices = try database.things(DataKeeper.Kind.device.rawValue).sorted {
      $0.json["serial"]?.intValue ?? 0 < $1.json["serial"]?.intValue ?? 0
    }
  }
}
