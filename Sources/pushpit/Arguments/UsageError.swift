/// Misuse of the command line: what is wrong, for exit code 64 (EX_USAGE of sysexits.h).
struct UsageError: Error, Equatable {
  /// One line without a period: what was given and what is expected.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A command that could not do its work, for exit code 1, or 64 where its arguments were at fault.
struct CommandFailure: Error, Equatable {
  /// One line: what was being done, with what, and why it failed.
  let message: String
  /// The console did not understand what the arguments made of the call.
  let isMisuse: Bool

  init(_ message: String, isMisuse: Bool = false) {
    self.message = message
    self.isMisuse = isMisuse
  }
}
