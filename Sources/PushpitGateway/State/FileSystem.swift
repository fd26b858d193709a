#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file operation that the system refused.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done.
  package let operation: String
  package let path: String
  /// The system's error number.
  package let code: Int32

  /// Takes the reason from `errno`.
  fileprivate init(_ operation: String, _ path: String) {
    self.operation = operation
    self.path = path
    code = errno
  }

  private init(_ operation: String, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The error of a file that is not there.
  static func missing(_ operation: String, _ path: String) -> FileError {
    FileError(operation, path, code: ENOENT)
  }

  package var isMissing: Bool { code == ENOENT }
  package var description: String {
    "cannot \(operation) \(path): \(String(cString: strerror(code)).lowercased())"
  }
}

/// The few file operations that a state folder needs, in one place.
package enum FileSystem {
  /// Who may read a file.
  package enum Access {
    /// Its owner only.
    case owner
    case everyone

    fileprivate var mode: mode_t { self == .owner ? 0o600 : 0o644 }
  }

  /// The absolute form of a path.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// Whether there is a file or folder of this path.
  package static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Makes a folder for its owner only, with the folders above it; one that is there stays as it
  /// is.
  static func makeFolder(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex
    else { throw FileError("make the folder", path) }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileError("make the folder", path)
    }
  }

  /// The names of a folder's files, sorted; empty when there is no such folder.
  static func list(_ path: String) throws(FileError) -> [String] {
    try entries(of: path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The names of all that a folder has, hidden ones too, in no order.
  private static func entries(of path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw FileError("list", path)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a file; one that is not there is as good.
  static func remove(_ path: String) {
    unlink(path)
  }

  /// Removes a file that is there, or says why not.
  static func removeFile(_ path: String) throws(FileError) {
    guard unlink(path) == 0 else { throw FileError("remove", path) }
  }

  /// Removes a folder and what is in it; what cannot be removed stays.
  package static func removeFolder(_ path: String) {
    for name in (try? entries(of: path)) ?? [] {
      let item = "\(path)/\(name)"
      if unlink(item) != 0 { removeFolder(item) }
    }
    rmdir(path)
  }

  /// Makes a folder for its owner only, with a name that nobody has, where the system keeps what is
  /// temporary.
  package static func makeTemporaryFolder(_ name: String) throws(FileError) -> String {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // mkdtemp(3) puts a name that nobody has in place of six letters X at the end.
    let placeholder = String(repeating: "X", count: 6)
    var template = Array("\(place)/\(name).\(placeholder)".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("make a folder in", place) }
    return template.withUnsafeBufferPointer { name in
      name.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  /// Everything that a file holds.
  package static func contents(of path: String) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("read", path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      switch read(file, &chunk, chunk.count) {
      case 0: return bytes
      case let count where count > 0: bytes += chunk.prefix(count)
      default: if errno != EINTR { throw FileError("read", path) }
      }
    }
  }

  /// Writes a file as a whole or not at all: under another name, then renamed.
  package static func writeAtomically(
    _ bytes: [UInt8], to path: String, for access: Access
  ) throws(FileError) {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
    do throws(FileError) {
      try create(temporary, of: path, holding: bytes, mode: access.mode)
      guard rename(temporary, path) == 0 else { throw FileError("write", path) }
    } catch {
      unlink(temporary)
      throw error
    }
    // The new name is on the disk when its folder is.
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = open(String(path[..<slash]), O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func create(
    _ temporary: String, of path: String, holding bytes: [UInt8], mode: mode_t
  ) throws(FileError) {
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileError("write", path) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        return write(file, rest.baseAddress, rest.count)
      }
      if count > 0 { written += count } else if errno != EINTR { throw FileError("write", path) }
    }
    guard fsync(file) == 0 else { throw FileError("write", path) }
  }
}

/// An exclusive lock between processes and threads, held as long as the object lives.
final class FileLock {
  private let file: Int32

  /// Waits until nobody else holds the lock; the lock's file stays afterwards.
  init(_ path: String) throws(FileError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("lock", path) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let error = FileError("lock", path)
        close(file)
        throw error
      }
    }
  }

  deinit {
    if file >= 0 { close(file) }
  }
}
