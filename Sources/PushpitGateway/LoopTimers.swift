internal import PushpitConsole
internal import PushpitNetwork

/// The console's timers, on the gateway's loop.
final class LoopTimers: ConsoleTimers {
  private let loop: EventLoop

  init(loop: EventLoop) {
    self.loop = loop
  }

  func after(_ delay: Duration, _ action: @escaping () -> Void) -> any ConsoleTimer {
    Timer(loop, after: delay, action)
  }
}

extension Timer: ConsoleTimer {}
