/// The streams of server-sent events that are open, so that the gateway can end them when it stops.
///
/// They have no end of their own: without this a graceful stop would wait for them in vain.
final class OpenStreams {
  private var outputs: [ObjectIdentifier: EventStreamOutput] = [:]
  /// Once set, a stream that begins ends at once.
  private(set) var isEnding = false

  /// Remembers a stream that has begun.
  func insert(_ output: EventStreamOutput) {
    outputs[ObjectIdentifier(output)] = output
    if isEnding { end(output) }
  }

  /// Forgets a stream that has ended.
  func remove(_ output: EventStreamOutput) {
    outputs[ObjectIdentifier(output)] = nil
  }

  /// Ends all of them, each with a notice.
  func endAll() {
    isEnding = true
    for output in Array(outputs.values) { end(output) }
  }

  private func end(_ output: EventStreamOutput) {
    output.notice("gateway-stopping", "The gateway is stopping.")
    output.finish()
  }
}
