internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// What happens in the gateway, as server-sent events: first what was missed, then as it happens.
///
/// What was missed is written no faster than it is read; once caught up, a reader that is too slow
/// loses its stream, and can resume.
final class EventStream: ResponseProducer, EventSubscriber {
  /// While catching up, at most this many bytes are left unread before it waits.
  static let catchUpLimit = 1 << 20
  /// How long it waits for a reader while catching up.
  static let catchUpPause = Duration.milliseconds(50)

  private let console: Console
  private let filter: EventFilter
  private let resumeAfter: UInt64?
  private let output: EventStreamOutput
  /// The next event of the history to write; nil once caught up.
  private var nextID: UInt64?
  private var pause: (any ConsoleTimer)?

  init(
    console: Console, filter: EventFilter, resumeAfter: UInt64?, output: EventStreamOutput
  ) {
    self.console = console
    self.filter = filter
    self.resumeAfter = resumeAfter
    self.output = output
  }

  func start(_ sink: any ResponseSink) {
    output.start(sink)
    guard output.isOpen else { return }
    guard console.events.subscribe(self) else {
      output.notice("too-many-streams", "There are too many streams of events.")
      return output.finish()
    }
    guard let resumeAfter else { return }
    if resumeAfter > console.events.newestID {
      output.notice(
        "gateway-restarted", "Event \(resumeAfter) is not of this run; all its events follow.")
      nextID = 1
    } else {
      nextID = resumeAfter + 1
    }
    catchUp()
  }

  func stop() {
    output.stop()
    console.events.unsubscribe(self)
    pause?.cancel()
    pause = nil
  }

  func received(_ event: Event) {
    if nextID == nil, filter.wants(event) { output.write(console.newFrame(of: event)) }
  }

  private func catchUp() {
    guard var id = nextID else { return }
    let oldest = console.events.oldestID
    if id < oldest {
      output.notice("events-missed", "The events \(id) to \(oldest - 1) are no longer kept.")
      id = oldest
    }
    while id <= console.events.newestID {
      guard output.isOpen else { return }
      guard output.bufferedByteCount <= Self.catchUpLimit else {
        nextID = id
        pause = console.timers.after(Self.catchUpPause) { [weak self] in self?.catchUp() }
        return
      }
      if let event = console.events.event(id), filter.wants(event) {
        output.write(console.frame(of: event))
      }
      id += 1
    }
    nextID = nil
  }
}
