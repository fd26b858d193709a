import Foundation
import PushpitTestSupport

/// What a run of the program left behind.
struct ProgramRun: Sendable {
  let status: Int32
  let output: String
  let talk: String

  /// The program that was built beside the tests.
  static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "pushpit")

  /// Runs the program on a thread that no other test needs, for it blocks.
  static func of(
    _ words: [String], environment: [String: String] = [:]
  ) async throws -> ProgramRun {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try runBlocking(words, environment) })
      }
    }
  }

  private static func runBlocking(
    _ words: [String], _ environment: [String: String]
  ) throws -> ProgramRun {
    let process = ChildProcess()
    let (output, talk) = (Pipe(), Pipe())
    process.executableURL = program
    process.arguments = words
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = talk
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errors = String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ProgramRun(status: process.terminationStatus, output: text, talk: errors)
  }
}
