package import PushpitHTTPTypes

/// The client's side of one HTTP/1.1 connection, one request at a time.
package final class HTTP1ClientSession: HTTPClientSession {
  package private(set) var failure: ConnectionFailure?
  package private(set) var wantsClose = false

  private struct Request {
    let id: Int64
    let bytes: [UInt8]
    let isHead: Bool
  }

  private var requests: [Request] = []
  private var requestCount: Int64 = 0
  /// Whether the first request was written.
  private var isSent = false
  private var events: [ClientEvent] = []
  private var input: [UInt8] = []
  private var parser = HTTP1ResponseParser()

  package init() {}

  package var openRequestCount: Int { requests.count }

  package func submit(_ head: RequestHead, body: [UInt8]) -> Int64 {
    requestCount += 1
    var bytes = head.method + Array(" ".utf8) + head.target + Array(" HTTP/1.1\r\n".utf8)
    if head.fields.first("host") == nil {
      bytes += Array("host: ".utf8) + head.authority + Array("\r\n".utf8)
    }
    for entry in head.fields.entries {
      bytes += head.fields.bytes[entry.name]
      bytes += Array(": ".utf8)
      bytes += head.fields.bytes[entry.value]
      bytes += Array("\r\n".utf8)
    }
    let hasLength = head.fields.first("content-length") != nil
    if !hasLength, !body.isEmpty || head.method.elementsEqual("POST".utf8) {
      bytes += Array("content-length: \(body.count)\r\n".utf8)
    }
    bytes += Array("\r\n".utf8) + body
    let isHead = head.method.elementsEqual("HEAD".utf8)
    requests.append(Request(id: requestCount, bytes: bytes, isHead: isHead))
    if wantsClose { giveUp() }
    return requestCount
  }

  package func cancel(_ id: Int64) {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
    requests.remove(at: index)
    events.append(.reset(id: id, code: 8))
    if index == 0, isSent { giveUp() }
  }

  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !wantsClose else { return }
    input.append(contentsOf: bytes)
    while let request = requests.first, isSent {
      switch parser.advance(&input, isHead: request.isHead) {
      case .needsMore: return
      case .head(let head, let isLast):
        events.append(.head(id: request.id, head, isLast: isLast))
        if isLast { answered() }
      case .body(let bytes, let isLast):
        events.append(.body(id: request.id, bytes, isLast: isLast))
        if isLast { answered() }
      case .malformed:
        failure = .library("the answer is not HTTP/1.1")
        return giveUp()
      }
    }
  }

  package func takeEvents() -> [ClientEvent] {
    defer { events.removeAll() }
    return events
  }

  package func takeOutput(into buffer: inout [UInt8], limit: Int) {
    guard !isSent, !wantsClose, let request = requests.first else { return }
    isSent = true
    buffer += request.bytes
  }

  package func connectionEnded() {
    if isSent, parser.isInBodyUntilClose, let request = requests.first {
      events.append(.body(id: request.id, [], isLast: true))
      requests.removeFirst()
    }
    giveUp()
  }

  private func answered() {
    requests.removeFirst()
    isSent = false
    if !parser.keepsAlive { giveUp() }
    parser = HTTP1ResponseParser()
  }

  private func giveUp() {
    wantsClose = true
    for (index, request) in requests.enumerated() {
      // What was never sent may be tried again.
      events.append(.reset(id: request.id, code: index == 0 && isSent ? 8 : 7))
    }
    requests = []
  }
}
