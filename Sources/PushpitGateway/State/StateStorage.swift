internal import PushpitCrypto

/// Where the files of a state folder are: on the disk, or in memory for as long as one gateway runs.
package enum StateStorage: Sendable, Equatable {
  case disk
  case memory(MemoryFiles)

  /// Everything that a file holds.
  func contents(of path: String) throws(FileError) -> [UInt8] {
    switch self {
    case .disk: try FileSystem.contents(of: path)
    case .memory(let files): try files.contents(of: path)
    }
  }

  /// Whether there is a file or folder of this path.
  func exists(_ path: String) -> Bool {
    switch self {
    case .disk: FileSystem.exists(path)
    case .memory(let files): files.exists(path)
    }
  }

  /// The names of a folder's files, sorted; empty when there is no such folder.
  func list(_ path: String) throws(FileError) -> [String] {
    switch self {
    case .disk: try FileSystem.list(path)
    case .memory(let files): files.list(path)
    }
  }

  /// Makes a folder, with the folders above it.
  func makeFolder(_ path: String) throws(FileError) {
    switch self {
    case .disk: try FileSystem.makeFolder(path)
    case .memory: break  // Folders are parts of names.
    }
  }

  /// Writes a file as a whole or not at all.
  func write(
    _ bytes: [UInt8], to path: String, for access: FileSystem.Access
  ) throws(FileError) {
    switch self {
    case .disk: try FileSystem.writeAtomically(bytes, to: path, for: access)
    case .memory(let files): files.write(bytes, to: path, for: access)
    }
  }

  /// Removes a file that is there.
  func remove(_ path: String) throws(FileError) {
    switch self {
    case .disk: try FileSystem.removeFile(path)
    case .memory(let files): files.remove(path)
    }
  }

  /// Removes a folder and what is in it.
  func removeFolder(_ path: String) {
    switch self {
    case .disk: FileSystem.removeFolder(path)
    case .memory(let files): files.removeFolder(path)
    }
  }

  /// The lock between processes; nil in memory, which no other process reaches.
  func lock(_ path: String) throws(FileError) -> FileLock? {
    switch self {
    case .disk: try FileLock(path)
    case .memory: nil
    }
  }

  /// The RSA key of a new default service account.
  func accountKey() throws(CryptoError) -> PrivateKey {
    switch self {
    case .disk: try .generateRSA()
    case .memory: try PrivateKey(pem: MemoryFiles.sharedKey.get())
    }
  }
}
