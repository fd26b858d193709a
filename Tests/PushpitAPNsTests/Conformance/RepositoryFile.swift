import Foundation

/// Files of the repository that tests compare with.
enum RepositoryFile {
  /// Whether the generated pages are to be written, as `scripts/conformance --write` asks.
  static let isWriting = ProcessInfo.processInfo.environment["PUSHPIT_WRITE_PAGES"] == "1"

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The text of a file; the path begins at the root of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Replaces a file.
  static func write(_ text: String, to path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
