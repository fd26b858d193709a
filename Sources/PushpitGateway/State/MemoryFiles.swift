internal import PushpitCrypto
internal import Synchronization

/// The files of a gateway that keeps nothing.
package final class MemoryFiles: Sendable, Equatable {
  /// A file's bytes, and who may read it once it is on a disk.
  struct File {
    let bytes: [UInt8]
    let access: FileSystem.Access
  }

  /// What stands for the folder in messages.
  static let folder = "(memory)"

  /// One RSA key for all gateways in memory of a process, in PEM.
  ///
  /// To make one takes a hundred times as long as all else. Each gateway's account has a name of its own,
  /// so none is good at another.
  static let sharedKey = Result { () throws(CryptoError) in try PrivateKey.generateRSA().pem }

  private let files = Mutex<[String: File]>([:])

  package init() {}

  /// All files by path.
  var all: [String: File] { files.withLock { $0 } }

  func contents(of path: String) throws(FileError) -> [UInt8] {
    guard let file = files.withLock({ $0[path] }) else { throw .missing("read", path) }
    return file.bytes
  }

  func exists(_ path: String) -> Bool {
    files.withLock { files in
      files[path] != nil || files.keys.contains { $0.hasPrefix("\(path)/") }
    }
  }

  func list(_ path: String) -> [String] {
    let start = "\(path)/"
    let below = files.withLock { $0.keys.filter { $0.hasPrefix(start) } }
    return below.map { String($0.dropFirst(start.count)) }.filter { !$0.contains("/") }.sorted()
  }

  func write(_ bytes: [UInt8], to path: String, for access: FileSystem.Access) {
    files.withLock { $0[path] = File(bytes: bytes, access: access) }
  }

  func remove(_ path: String) {
    files.withLock { $0[path] = nil }
  }

  func removeFolder(_ path: String) {
    files.withLock { files in files = files.filter { !$0.key.hasPrefix("\(path)/") } }
  }

  package static func == (one: MemoryFiles, other: MemoryFiles) -> Bool { one === other }
}
