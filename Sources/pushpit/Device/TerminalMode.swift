#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminal's own settings: how it was, and so that each key comes at once and unseen.
struct TerminalMode {
  private let original: termios

  /// Remembers how the terminal is; nil when it does not say.
  init?() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    original = settings
  }

  /// Gives keys one by one, unseen; Control-C and Control-Z stay what they are.
  func enter() {
    var settings = original
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
      // Control-\ would end the process before it could set the terminal back.
      characters[Int(VQUIT)] = UInt8(
        truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Sets the terminal back.
  func leave() {
    var settings = original
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Stops the process until somebody lets it go on.
  static func stopProcess() {
    kill(getpid(), SIGSTOP)
  }
}
