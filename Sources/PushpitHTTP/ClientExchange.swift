internal import PushpitHTTPTypes
internal import PushpitNetwork

/// One request of a client and whoever waits for its answer.
///
/// What came before somebody waits is kept for them.
final class ClientExchange {
  /// The most pieces of a body that wait for a reader that does not keep up.
  static let pieceLimit = 16_384

  typealias Pieces = AsyncThrowingStream<[UInt8], any Error>.Continuation
  typealias Waiter = CheckedContinuation<Result<Response, HTTPClientError>, Never>

  var id: Int64 = 0
  /// The request's time limit; for a streaming answer it ends with the head.
  var timer: Timer?
  private let bodyLimit: Int
  /// Where the pieces of a streaming answer go; nil when the whole is waited for.
  private let pieces: Pieces?
  private var answer = Response()
  private var result: Result<Response, HTTPClientError>?
  private var waiter: Waiter?

  init(bodyLimit: Int, pieces: Pieces? = nil) {
    self.bodyLimit = bodyLimit
    self.pieces = pieces
  }

  /// Resumes this continuation with the whole answer, or with the head of a streaming one.
  func resume(_ continuation: Waiter) {
    if let result {
      continuation.resume(returning: result)
    } else {
      waiter = continuation
    }
  }

  func take(_ head: ResponseHead) {
    answer.head = head
    if pieces != nil { settle(.success(answer)) }
  }

  /// Takes a piece of the body; false when it is more than is wanted.
  func take(_ bytes: [UInt8]) -> Bool {
    guard let pieces else {
      answer.body += bytes
      return answer.body.count <= bodyLimit
    }
    guard !bytes.isEmpty else { return true }
    if case .dropped = pieces.yield(bytes) { return false }
    return true
  }

  func finish() {
    settle(.success(answer))
    pieces?.finish()
  }

  func fail(_ error: HTTPClientError) {
    settle(.failure(error))
    pieces?.finish(throwing: error)
  }

  private func settle(_ result: Result<Response, HTTPClientError>) {
    timer?.cancel()
    timer = nil
    guard self.result == nil else { return }
    self.result = result
    waiter?.resume(returning: result)
    waiter = nil
  }
}
