/// Where the bytes of a streaming answer go, once its head has been sent.
///
/// All calls happen on the loop's thread. The server's stream is one, a test's buffer another.
package protocol ResponseSink: AnyObject {
  /// Queues bytes for the peer; false when the stream has ended, so that nobody writes on in vain.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool

  /// How many bytes were written and have not left the process yet: the back pressure.
  var bufferedByteCount: Int { get }

  /// Ends the answer; later writes return false.
  func finish()
}

/// What a streaming answer keeps running, told when its peer has gone.
package protocol ResponseProducer: AnyObject {
  /// Starts writing to the sink; called once, after the head was sent.
  func start(_ sink: any ResponseSink)

  /// The stream has ended, by the peer, by a time-out or by `finish()`.
  func stop()
}
