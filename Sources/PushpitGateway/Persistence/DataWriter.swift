internal import PushpitNetwork
internal import PushpitPersistence
internal import PushpitRecording

/// Writes batches to the file, on a thread of its own, so that the gateway's loop never waits for a disk.
actor DataWriter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  /// Nil once it is closed.
  private var database: Database?

  init(_ database: sending Database, loop: EventLoop) {
    self.database = database
    self.loop = loop
  }

  /// Writes a batch as a whole.
  /// - Returns: Why it could not be written; it is lost then.
  func write(_ batch: JournalBatch) -> DatabaseError? {
    let bytes = batch.takeBytes()
    defer { batch.putBack(bytes) }
    do throws(DatabaseError) {
      try database?.write(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Closes the file, which another gateway may use then.
  func close() {
    database = nil
  }
}
