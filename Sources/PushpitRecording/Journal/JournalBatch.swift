internal import Synchronization

/// The bytes of a batch on their way to the disk and back: nobody holds two references to them, so that
/// their memory can be used again without being copied.
package final class JournalBatch: Sendable {
  private let bytes: Mutex<[UInt8]>

  package init(_ bytes: consuming [UInt8]) {
    self.bytes = Mutex(bytes)
  }

  /// Takes the bytes out; who has done with them puts them back.
  package func takeBytes() -> [UInt8] {
    bytes.withLock { held in
      let taken = held
      held = []
      return taken
    }
  }

  /// Puts bytes in for whoever takes them next.
  package func putBack(_ taken: consuming [UInt8]) {
    let taken = taken
    bytes.withLock { $0 = taken }
  }
}
