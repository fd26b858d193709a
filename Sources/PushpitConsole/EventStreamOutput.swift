internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitRecording

/// The output of one stream of server-sent events: heartbeats, its end, and slow readers.
///
/// Whoever makes the events writes them here.
final class EventStreamOutput {
  /// A reader with this many unread bytes is too slow, and its stream ends.
  static let bufferLimit = 4 << 20
  /// A quiet stream says this often that it is alive.
  static let heartbeatInterval = Duration.seconds(15)
  /// The head of every stream of events.
  static var head: ResponseHead {
    ResponseHead(fields: FieldList(["content-type": "text/event-stream"]))
  }

  let timers: any ConsoleTimers
  private let openStreams: OpenStreams
  private let duration: Duration?
  private var sink: (any ResponseSink)?
  private var heartbeat: (any ConsoleTimer)?
  private var ending: (any ConsoleTimer)?

  /// An output that ends by itself after a while, or not.
  init(timers: any ConsoleTimers, openStreams: OpenStreams, duration: Duration?) {
    self.timers = timers
    self.openStreams = openStreams
    self.duration = duration
  }

  /// Whether the stream has begun and not ended.
  var isOpen: Bool { sink != nil }

  /// How many bytes the reader has not taken yet.
  var bufferedByteCount: Int { sink?.bufferedByteCount ?? 0 }

  /// Begins to write, and to count the time.
  func start(_ sink: any ResponseSink) {
    self.sink = sink
    scheduleHeartbeat()
    if let duration {
      ending = timers.after(duration) { [weak self] in self?.finish() }
    }
    openStreams.insert(self)
  }

  /// Writes the frame of one event, or ends the stream when its reader is too slow.
  func write(_ frame: [UInt8]) {
    guard let sink else { return }
    guard sink.bufferedByteCount <= Self.bufferLimit else {
      notice("reader-too-slow", "The reader left \(sink.bufferedByteCount) bytes unread.")
      return finish()
    }
    sink.write(frame)
  }

  /// Writes a notice about this stream, which is no event that could be resumed after.
  func notice(_ code: String, _ text: String) {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("type", "notice")
    writer.key("notice")
    writer.beginObject()
    writer.member("code", code)
    writer.member("text", text)
    writer.endObject()
    writer.endObject()
    sink?.write(ServerSentEvent.frame(id: nil, event: "notice", data: writer.bytes))
  }

  /// Ends the stream.
  func finish() {
    let sink = sink
    stop()
    sink?.finish()
  }

  /// Lets go of the stream and its timers; nothing is written after that.
  func stop() {
    openStreams.remove(self)
    sink = nil
    heartbeat?.cancel()
    ending?.cancel()
    heartbeat = nil
    ending = nil
  }

  private func scheduleHeartbeat() {
    heartbeat = timers.after(Self.heartbeatInterval) { [weak self] in
      guard let self, let sink = self.sink else { return }
      sink.write(ServerSentEvent.heartbeat)
      self.scheduleHeartbeat()
    }
  }
}
