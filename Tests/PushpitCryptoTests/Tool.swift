import Foundation
import PushpitTestSupport
import Testing

/// The `openssl` program, whose opinion counts beside our own.
enum Tool {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// Runs it with files of these names and contents in its directory.
  ///
  /// - Returns: Its exit status and everything that it wrote.
  static func openssl(
    _ arguments: [String], files: [String: [UInt8]]
  ) throws -> (status: Int32, output: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
    let process = ChildProcess()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
