package import Foundation

/// A program that a test runs.
///
/// In place of Foundation's `Process`, which on Linux reads past its buffer as soon as some thousand
/// files are open, as they are when all suites run at once. Pipes are not inherited by other children,
/// which would keep them open, and no signal is blocked in the child.
package final class ChildProcess {
  package var executableURL: URL?
  package var arguments: [String] = []
  /// The child's environment; nil for this process's own.
  package var environment: [String: String]?
  package var currentDirectoryURL: URL?
  /// Where standard output goes; nil for nowhere.
  package var standardOutput: Pipe? { didSet { Self.keep(standardOutput) } }
  /// Where standard error goes; nil for nowhere.
  package var standardError: Pipe? { didSet { Self.keep(standardError) } }
  package private(set) var processIdentifier: pid_t = 0
  /// The exit status, or 128 and the signal; known after `waitUntilExit()`.
  package private(set) var terminationStatus: Int32 = -1

  package init() {}

  // Swift Testing's own wait for exit tests spins, and sees none of them, as long as a child that has
  // ended is not waited for.
  deinit {
    guard processIdentifier > 0, terminationStatus < 0 else { return }
    kill(processIdentifier, SIGKILL)
    waitUntilExit()
  }

  /// Starts the program; standard input is empty.
  package func run() throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (pipe, target) in [(standardOutput, Int32(1)), (standardError, 2)] {
      if let pipe {
        posix_spawn_file_actions_adddup2(
          &actions, pipe.fileHandleForWriting.fileDescriptor, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    try spawn(&actions, &attributes)
    for pipe in [standardOutput, standardError] { try? pipe?.fileHandleForWriting.close() }
  }

  /// Keeps a pipe out of children that other tests start.
  private static func keep(_ pipe: Pipe?) {
    for handle in [pipe?.fileHandleForReading, pipe?.fileHandleForWriting] {
      if let handle { _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  private func spawn(
    _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
  ) throws {
    var command = [executableURL?.path(percentEncoded: false) ?? ""] + arguments
    if let currentDirectoryURL {
      let folder = currentDirectoryURL.path(percentEncoded: false)
      command = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder] + command
    }
    let words = command.map { strdup($0) } + [nil]
    let variables =
      (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let status = posix_spawn(
      &processIdentifier, command[0], &actions, &attributes, words, variables)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
  }

  /// Returns when it has ended.
  package func waitUntilExit() {
    guard terminationStatus < 0 else { return }
    var status: Int32 = 0
    while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
    terminationStatus = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Asks it to end, unless it has been waited for.
  package func terminate() {
    if terminationStatus < 0 { kill(processIdentifier, SIGTERM) }
  }
}
