import PushpitNetwork
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pseudo terminal: what is written at the one end is typed at the other.
private struct PseudoTerminal {
  let keyboard: Int32
  let terminal: Int32

  init() throws {
    #if canImport(Glibc)
      // posix_openpt() and its kin are not in the Glibc module, nor are the names of what they ask
      // for (ioctl_tty(2)): to unlock the other end, and for its number.
      let (unlock, askNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (number, lock): (Int32, Int32) = (0, 0)
      try #require(
        keyboard >= 0 && ioctl(keyboard, unlock, &lock) == 0
          && ioctl(keyboard, askNumber, &number) == 0)
      terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #else
      keyboard = posix_openpt(O_RDWR | O_NOCTTY)
      try #require(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0)
      let name = try #require(ptsname(keyboard))
      terminal = open(name, O_RDWR | O_NOCTTY)
    #endif
    try #require(terminal >= 0)
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct TerminalInputTests {
  @Test func `what is typed comes as bytes, and none when the terminal has gone`() async throws {
    let terminal = try PseudoTerminal()
    let probe = try LoopProbe()
    try await probe.run { probe in
      _ = try TerminalInput(probe.loop, descriptor: terminal.terminal) { bytes in
        probe.assumeIsolated { $0.note(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    terminal.type("grün\n")
    #expect(await probe.notes(1) == ["grün\n"])
    close(terminal.keyboard)
    #expect(await probe.notes(2).last?.isEmpty == true)
    await probe.loop.stop()
    close(terminal.terminal)
  }

  @Test func `those who share the terminal still wait for their own input`() async throws {
    let terminal = try PseudoTerminal()
    let probe = try LoopProbe()
    let shared = dup(terminal.terminal)
    try await probe.run { _ = try TerminalInput($0.loop, descriptor: terminal.terminal) { _ in } }
    #expect(fcntl(shared, F_GETFL) & O_NONBLOCK == 0)
    await probe.loop.stop()
    close(shared)
    close(terminal.keyboard)
    close(terminal.terminal)
  }

  @Test func `what is no terminal is refused`() async throws {
    let probe = try LoopProbe()
    await #expect(throws: NetworkError.self) {
      try await probe.run { _ = try TerminalInput($0.loop, descriptor: -1) { _ in } }
    }
    await probe.loop.stop()
  }
}
