internal import PushpitDevices
internal import PushpitHTTP
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork
internal import PushpitPersistence
internal import PushpitRecording

/// What is kept over restarts in the file of `--data`.
extension Gateway {
  /// Opens the file, records again what it has, and keeps what happens from now on.
  ///
  /// Before the first request, and after the workspaces can be made.
  /// - Throws: `GatewayError` with one line that says what is wrong with the file.
  func startData(
    _ core: GatewayCore, _ keeper: WorkspaceKeeper, _ server: HTTPServer
  ) throws(GatewayError) {
    guard let path = configuration.dataPath else { return }
    let journal = RecordJournal()
    let (writer, kept) = try Self.open(path)
    restore(kept, core, keeper, server)
    let data = DataKeeper(
      journal, loop: loop, log: core.log, time: core.time,
      startWriting: { [weak self] batch in
        Task {
          let error = await writer.write(batch)
          await self?.dataWritten(batch, error)
        }
      },
      image: { kind, id in
        switch kind {
        case .device: core.devices.device(DeviceID(id))?.image
        case .workspace: keeper.image(of: WorkspaceID(id))
        case .clock: core.workspaces.default.clock.image
        }
      })
    self.data = data
    dataWriter = writer
    core.store.journal = journal
    core.news.data = data
    keeper.data = data
  }

  /// Opens the file and reads it, apart from the gateway: it goes over to the thread that writes it.
  private static nonisolated func open(
    _ path: String
  ) throws(GatewayError) -> (DataWriter, KeptData) {
    let loop: EventLoop
    do throws(NetworkError) { loop = try EventLoop() } catch { throw .configuration("\(error)") }
    do throws(DatabaseError) {
      let database = try Database(path: path)
      let kept = try KeptData(database)
      return (DataWriter(database, loop: loop), kept)
    } catch {
      throw .configuration(error.description)
    }
  }

  private func restore(
    _ kept: KeptData, _ core: GatewayCore, _ keeper: WorkspaceKeeper, _ server: HTTPServer
  ) {
    var newestConnection: UInt64 = 0
    var lost = 0
    for envelope in kept.envelopes {
      if !core.store.restore(envelope) { lost += 1 }
      newestConnection = max(newestConnection, envelope.connection)
    }
    // The numbers of connections stand in envelopes, and go on where they were.
    server.continueConnectionIDs(after: newestConnection)
    for clock in kept.clocks { core.workspaces.default.clock = WorkspaceClock(image: clock.json) }
    for workspace in kept.workspaces
    where !keeper.restore(WorkspaceID(workspace.id), from: workspace.json) { lost += 1 }
    for device in kept.devices
    where !core.devices.restore(DeviceID(device.id), from: device.json) { lost += 1 }
    core.dropStored()
    core.log.line(
      lost == 0 ? .info : .warning, "data", "read",
      [
        "envelopes": .number(core.store.count), "devices": .number(kept.devices.count),
        "lost": .number(lost),
      ])
  }

  private func dataWritten(_ batch: JournalBatch, _ error: DatabaseError?) {
    data?.written(batch, error)
  }
}

extension WorkspaceClock {
  /// For a disk.
  var image: JSONValue {
    [
      "offset": .int(offset.milliseconds),
      "frozenAt": frozenAt.map { .int($0.milliseconds) } ?? .null,
    ]
  }

  init(image: JSONValue) {
    self.init()
    offset = .milliseconds(Int64(image["offset"]?.intValue ?? 0))
    frozenAt = image["frozenAt"]?.intValue.map { Timestamp(milliseconds: Int64($0)) }
  }
}
