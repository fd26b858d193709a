import PushpitJSON
import PushpitModel
import PushpitRecording
import Testing

@testable import PushpitPersistence

@Suite struct DatabaseTests {
  private let file = TemporaryFile()

  private func step(_ device: String, _ state: DeliveryState, at: Int64 = 5) -> DeliveryStep {
    DeliveryStep(
      device: DeviceID(device), state: state, at: Timestamp(milliseconds: at), cause: "because")
  }

  @Test func `an envelope comes back as it was, with its credential, diagnosis and life`() throws {
    var before: [String] = []
    do {
      let kept = try KeptStore(file.path)
      for number in 0..<30 { kept.push(UInt64(number)) }
      kept.store.noteDelivery(3, step("d1", .delivered))
      kept.store.noteDelivery(3, step("d1", .displayed))
      kept.store.noteDelivery(3, step("d2", .stored))
      kept.store.noteDelivery(3, step("d1", .tapped, at: 9))
      try kept.flush()
      before = kept.json
    }
    let again = try KeptStore(file.path)
    #expect(again.json == before && again.lostCount == 0)
    #expect(before[27].contains("tapped") && before[22].contains("what 7"))
    // What comes next goes on after it.
    #expect(again.push() == 31)
  }

  @Test(arguments: 0..<40)
  func `whatever happened, and however often it was reopened, the same is there`(
    seed: UInt64
  ) throws {
    let random = RandomSource(seed: seed)
    let limit = 1 + Int(random.next(below: 12))
    var kept: KeptStore? = try KeptStore(file.path, countLimit: limit)
    for _ in 0..<60 {
      guard let now = kept else { return }
      switch random.next(below: 10) {
      case 0..<5: now.push(random.next(below: 1000))
      case 5, 6:
        let newest = now.store.nextEnvelope
        let envelope = newest - min(newest, 1 + random.next(below: 5))
        let states = DeliveryState.allCases
        now.store.noteDelivery(
          envelope,
          step("d\(random.next(below: 2))", states[Int(random.next(below: UInt64(states.count)))]))
      case 7:
        var query = EnvelopeQuery(workspace: nil)
        query.token = "abcd\(random.next(below: 20))"
        if random.next(below: 4) == 0 { query.token = nil }
        if random.next(below: 2) == 0 { query.isAccepted = false }
        now.store.remove(query)
      case 8: try now.flush()
      default:
        try now.flush()
        let before = now.json
        let next = now.store.nextEnvelope
        let isEmpty = before.isEmpty
        kept = nil
        _ = consume now
        let again = try KeptStore(file.path, countLimit: limit)
        #expect(again.json == before && again.lostCount == 0)
        // Only of a record that is empty nobody knows how far it went.
        if !isEmpty { #expect(again.store.nextEnvelope <= next) }
        kept = again
      }
    }
  }

  @Test func `things of a kind are put, changed and removed`() throws {
    do {
      let kept = try KeptStore(file.path)
      kept.journal.put(["a": 1], kind: "device", id: "d1")
      kept.journal.put(["a": 2], kind: "device", id: "d1")
      kept.journal.put(["b": 1], kind: "device", id: "d2")
      kept.journal.put(nil, kind: "device", id: "d2")
      kept.journal.put(["c": "ü"], kind: "workspace", id: "d1")
      try kept.flush()
    }
    let database = try Database(path: file.path)
    let devices = try database.things("device")
    #expect(devices.map(\.id) == ["d1"] && devices.map(\.json) == [["a": 2]])
    #expect(try database.things("workspace").map(\.json) == [["c": "ü"]])
  }

  @Test func `only its owner can read the file`() throws {
    let kept = try KeptStore(file.path)
    kept.push()
    try kept.flush()
    #expect(file.mode() == 0o600 && file.mode("-wal") == 0o600)
  }

  @Test func `a file is used by one gateway at a time`() throws {
    let kept = try KeptStore(file.path)
    #expect(
      throws: DatabaseError(
        "open", file.path, "another gateway uses it; give each a file of its own with --data",
        code: 5)
    ) { try Database(path: file.path) }
    withExtendedLifetime(kept) {}
  }

  @Test func `what is no database, or another program's, is left alone`() throws {
    file.write("not a database, but longer than the hundred bytes of a header: ")
    let error = try #require(throws: DatabaseError.self) { try Database(path: file.path) }
    #expect(error.description.contains("it is no file of Pushpit's"))
    let other = TemporaryFile()
    do {
      let connection = try Connection(path: other.path)
      try connection.run("CREATE TABLE mine(a)")
    }
    let refusal = try #require(throws: DatabaseError.self) { try Database(path: other.path) }
    #expect(refusal.description.contains("another program's database"))
    #expect(throws: DatabaseError.self) { try Database(path: "/nowhere/data.db") }
    #expect(throws: DatabaseError.self) { try Database(path: TemporaryFile.folder) }
  }

  @Test func `a file of a newer version is refused`() throws {
    _ = try Database(path: file.path)
    do {
      let connection = try Connection(path: file.path)
      try connection.run("PRAGMA user_version=2")
    }
    let error = try #require(throws: DatabaseError.self) { try Database(path: file.path) }
    #expect(error.description.contains("a newer Pushpit made it"))
  }

  @Test func `what was deleted is nowhere in the file any more`() throws {
    let kept = try KeptStore(file.path)
    for number in 1..<5 { kept.push(UInt64(number) * 1_000_003) }
    try kept.flush()
    #expect(file.has("2000006") && file.has("3000009"))
    var query = EnvelopeQuery(workspace: nil)
    query.token = "abcd2000006"
    // The credential that it alone named goes with it, the one that others name stays.
    #expect(file.has("\"f2\"") && file.has("\"f1\""))
    #expect(kept.store.remove(query) == 1)
    try kept.flush()
    #expect(!file.has("2000006") && file.has("3000009"))
    #expect(!file.has("\"f2\"") && file.has("\"f1\""))
    kept.store.remove(EnvelopeQuery(workspace: nil))
    try kept.flush()
    #expect(!file.has("3000009"))
  }

  @Test func `batches of forgotten envelopes go, and the file does not grow for ever`() throws {
    let kept = try KeptStore(file.path, countLimit: 3)
    var batchCount = 0
    for number in 0..<50 {
      kept.push(UInt64(number))
      try kept.flush()
      batchCount = try kept.database.batchCount()
    }
    #expect(batchCount == 3)
  }

  @Test(arguments: [0, 3, 20, 100, 200, 400])
  func `a batch that is damaged loses what is behind the damage and no more`(length: Int) throws {
    do {
      let kept = try KeptStore(file.path)
      for number in 1..<4 {
        kept.push(UInt64(number))
        try kept.flush()
      }
    }
    do {
      let connection = try Connection(path: file.path)
      let statement = try Statement(connection, "UPDATE batches SET entries = ?1 WHERE first = 2")
      statement.bind(1, [UInt8](repeating: 1, count: length))
      try statement.run()
    }
    let again = try KeptStore(file.path)
    #expect(again.json.count == 2 && again.push() == 4)
  }

  @Test func `when nobody takes what is journalled, it is dropped and counted`() {
    let journal = RecordJournal(byteLimit: 100)
    journal.put(["a": 1], kind: "device", id: "d1")
    journal.put([.string(String(repeating: "x", count: 100))], kind: "device", id: "d2")
    #expect(journal.droppedCount == 1)
    #expect(Array(JournalReader(journal.take())).count == 1)
    journal.put(["a": 1], kind: "device", id: "d3")
    #expect(journal.droppedCount == 1)
  }

  @Test func `it is told once that there is something to take`() {
    let journal = RecordJournal()
    var count = 0
    journal.whenFilled = { count += 1 }
    journal.put(["a": 1], kind: "device", id: "d1")
    journal.put(["a": 1], kind: "device", id: "d2")
    #expect(count == 1)
    _ = journal.take()
    journal.put(["a": 1], kind: "device", id: "d3")
    #expect(count == 2)
  }
}
