package import PushpitHTTPTypes

/// A whole answer that is given later, once; on the loop's thread.
package final class PendingAnswer: ResponseProducer {
  /// Called once when the peer has gone before the answer was given.
  package var whenAbandoned: (() -> Void)?

  private var send: ((Response) -> Void)?
  private var response: Response?
  private var isOver = false

  package init() {}

  /// Whether somebody still waits for it.
  package var isWaiting: Bool { !isOver && response == nil }

  /// Gives the answer; nothing when it was given, or nobody waits any more.
  package func give(_ response: Response) {
    guard isWaiting else { return }
    whenAbandoned = nil
    self.response = response
    deliver()
  }

  /// Sends the answer this way, now when it was given already.
  package func sendBy(_ send: @escaping (Response) -> Void) {
    guard !isOver else { return }
    self.send = send
    deliver()
  }

  package func start(_ sink: any ResponseSink) {
    // Nothing is written before the whole answer.
  }

  package func stop() {
    guard !isOver else { return }
    isOver = true
    send = nil
    let whenAbandoned = whenAbandoned
    self.whenAbandoned = nil
    whenAbandoned?()
  }

  private func deliver() {
    guard !isOver, let send, let response else { return }
    isOver = true
    self.send = nil
    send(response)
  }
}
