internal import PushpitJSON

/// Reads the files of a state folder and makes those that are missing.
struct StateFiles {
  /// What may be done to the folder.
  enum Mode {
    /// Only read; complain of everything that ought to be made or renewed.
    case reading
    /// Only read; a file that ought to be renewed will do.
    case readingUnrenewed
    /// Make and renew; the lock is held.
    case writing
  }

  let paths: StatePaths
  let mode: Mode
  var storage = StateStorage.disk

  /// What a file holds; nil when it is missing.
  func read(_ path: String) throws(StateError) -> [UInt8]? {
    do {
      return try storage.contents(of: path)
    } catch {
      if error.isMissing { return nil }
      throw .file(error)
    }
  }

  /// Writes a file, when that is allowed.
  func write(_ bytes: [UInt8], to path: String, for access: FileSystem.Access) throws(StateError) {
    guard mode == .writing else { throw .missing(path: path) }
    try StateError.filing { () throws(FileError) in
      try storage.write(bytes, to: path, for: access)
    }
  }

  /// What a file holds; when it is missing, what it is made with.
  func read(
    _ path: String, for access: FileSystem.Access,
    else make: () throws(StateError) -> [UInt8]
  ) throws(StateError) -> [UInt8] {
    if let bytes = try read(path) { return bytes }
    guard mode == .writing else { throw .missing(path: path) }
    let bytes = try make()
    try write(bytes, to: path, for: access)
    return bytes
  }

  /// The object that a JSON file holds; when it is missing, what it is made with.
  func object(
    _ path: String, for access: FileSystem.Access,
    else make: () throws(StateError) -> JSONObject
  ) throws(StateError) -> JSONObject {
    let bytes = try read(path, for: access) { () throws(StateError) in
      Self.text(try make())
    }
    return try Self.object(bytes, of: path)
  }

  /// Reads a JSON file's bytes.
  static func object(_ bytes: [UInt8], of path: String) throws(StateError) -> JSONObject {
    do {
      if let object = try JSONReader.parse(bytes).objectValue { return object }
    } catch {
      throw .damaged(path, error.description)
    }
    throw .damaged(path, "it is not a JSON object")
  }

  /// The text of a JSON file.
  static func text(_ object: JSONObject) -> [UInt8] {
    JSONValue.object(object).serialized(.indented) + [UInt8(ascii: "\n")]
  }

  /// Makes a folder, when that is allowed.
  func makeFolder(_ path: String) throws(StateError) {
    if storage.exists(path) { return }
    guard mode == .writing else { throw .missing(path: path) }
    try StateError.filing { () throws(FileError) in try storage.makeFolder(path) }
  }
}

extension JSONObject {
  /// A member of a JSON file that must be a text.
  func text(_ key: String, of path: String) throws(StateError) -> String {
    guard let text = self[key]?.stringValue else {
      throw .damaged(path, "it has no text '\(key)'")
    }
    return text
  }
}
