import PushpitNetwork
import Testing

@testable import pushpit

@Suite struct TerminalNewsTests {
  @Test func `what is typed while nobody reads is kept up to a limit, the oldest first`() async {
    let (typed, keys) = TerminalNews.typedStream()
    for number in 0...TerminalNews.pieceLimit { keys.yield([UInt8(number)]) }
    keys.finish()
    let kept = await typed.reduce(into: [[UInt8]]()) { $0.append($1) }
    #expect(kept == (0..<TerminalNews.pieceLimit).map { [UInt8($0)] })
  }

  @Test func `of signals that nobody reads the newest are kept`() async {
    let (signals, continuation) = TerminalNews.signalStream()
    continuation.yield(.suspend)
    for _ in 0..<TerminalNews.signalLimit { continuation.yield(.resize) }
    continuation.finish()
    let kept = await signals.reduce(into: [String]()) { $0.append($1.name) }
    #expect(kept == Array(repeating: "SIGWINCH", count: TerminalNews.signalLimit))
  }
}
