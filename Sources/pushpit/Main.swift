#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The program: finds the command, runs it, and turns its errors into exit codes.
@main
enum Main {
  /// All commands in the order in which the help lists them.
  static let commands: [any Command.Type] = [
    ServeCommand.self, DeviceCommand.self, SendCommand.self, TailCommand.self, EnvCommand.self,
    ReadyCommand.self, CredentialsCommand.self, EnvelopesCommand.self, ExpectCommand.self,
    ReportCommand.self,
    WorkspaceCommand.self, ClockCommand.self, ResetCommand.self, VersionCommand.self,
  ]

  // Not an async main: nothing here needs the main queue, so the main thread only waits.
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    unblockSignals()
    Task.detached {
      // Not exit(): OpenSSL's own handler would free what loop threads still use.
      _exit(await run(Array(CommandLine.arguments.dropFirst()), processEnvironment))
    }
    while true { pause() }
  }

  /// Lets SIGINT and SIGTERM through: who starts us from a thread that blocks them, as Dispatch's
  /// do, must still be able to stop us.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Runs one command line and returns its exit code: 0, 1 for a failure, 64 for misuse.
  static func run(_ words: [String], _ environment: EnvironmentLookup) async -> Int32 {
    guard let word = words.first, word != "--help", word != "-h", word != "help" else {
      Terminal.print(help)
      return words.isEmpty ? 64 : 0
    }
    guard word != "--version" else {
      Terminal.print(VersionCommand.text)
      return 0
    }
    guard let command = commands.first(where: { $0.name == word }) else {
      return misuse("unknown command '\(word)'", usage: "pushpit COMMAND [options]", see: "")
    }
    let rest = Array(words.dropFirst())
    if rest.contains("--help") || rest.contains("-h") {
      Terminal.print(command.help)
      return 0
    }
    do {
      let parser = ArgumentParser(
        options: command.options, positionalLimit: command.positionalLimit)
      return try await command.run(try parser.parse(rest, environment: environment), environment)
    } catch let error as UsageError {
      return misuse(error.message, usage: command.usage, see: " \(command.name)")
    } catch let error as CommandFailure where error.isMisuse {
      return misuse(error.message, usage: command.usage, see: " \(command.name)")
    } catch let error as CommandFailure {
      Terminal.complain("Error: \(error.message)")
      return 1
    } catch {
      Terminal.complain("Error: \(error)")
      return 1
    }
  }

  private static func misuse(_ message: String, usage: String, see: String) -> Int32 {
    Terminal.complain("Error: \(message)\nUsage: \(usage)\nSee 'pushpit\(see) --help'")
    return 64
  }

  private static var help: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let lines = commands.map { command in
      "  \(command.name)\(String(repeating: " ", count: width - command.name.count + 2))"
        + command.summary
    }
    return """
      APNs and FCM on your own machine.

      Usage: pushpit COMMAND [options]

      Commands:
      \(lines.joined(separator: "\n"))

      See 'pushpit COMMAND --help' for its options.
      """
  }
}
