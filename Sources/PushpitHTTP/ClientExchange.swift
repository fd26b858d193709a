internal import PushpitHTTPTypes
internal import PushpitNetwork

/// One request of a client and whoever waits for its answer.
final class ClientExchange {
  /// What the caller waits for.
  enum Waiter {
    case whole(CheckedContinuation<Result<Response, HTTPClientError>, Never>)
    case pieces(
      head: CheckedContinuation<Result<ResponseHead, HTTPClientError>, Never>?,
      AsyncThrowingStream<[UInt8], any Error>.Continuation)
  }

  /// The most pieces of a body that wait for a reader that does not keep up.
  static let pieceLimit = 16_384

  var id: Int64 = 0
  /// The request's time limit; for a streaming answer it ends with the head.
  var timer: Timer?
  private let bodyLimit: Int
  private var waiter: Waiter?
  private var head: ResponseHead?
  private var body: [UInt8] = []

  init(bodyLimit: Int) {
    self.bodyLimit = bodyLimit
  }

  /// Sets who waits; nothing can have come before, as that would have needed the loop.
  func await(_ waiter: Waiter) {
    self.waiter = waiter
  }

  func take(_ head: ResponseHead) {
    self.head = head
    guard case .pieces(let waiting?, let pieces) = waiter else { return }
    timer?.cancel()
    waiter = .pieces(head: nil, pieces)
    waiting.resume(returning: .success(head))
  }

  /// Takes a piece of the body; false when it is more than is wanted.
  func take(_ bytes: [UInt8]) -> Bool {
    guard case .pieces(_, let pieces) = waiter else {
      body += bytes
      return body.count <= bodyLimit
    }
    guard !bytes.isEmpty else { return true }
    if case .dropped = pieces.yield(bytes) { return false }
    return true
  }

  func finish() {
    timer?.cancel()
    switch waiter {
    case .whole(let waiting):
      waiting.resume(returning: .success(response))
    case .pieces(_, let pieces):
      pieces.finish()
    case nil: break
    }
    waiter = nil
  }

  func fail(_ error: HTTPClientError) {
    timer?.cancel()
    switch waiter {
    case .whole(let waiting):
      waiting.resume(returning: .failure(error))
    case .pieces(let waiting, let pieces):
      waiting?.resume(returning: .failure(error))
      pieces.finish(throwing: error)
    case nil: break
    }
    waiter = nil
  }

  private var response: Response {
    var response = Response(body: body)
    if let head { response.head = head }
    return response
  }
}
