import PushpitHTTP
import PushpitHTTPTypes

@testable import PushpitGateway

/// Bytes of HTTP/2 that no client of ours would send so.
enum RawHTTP2 {
  /// The preface and an empty SETTINGS frame.
  static let preface =
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

  static let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
  static let pingAck: [UInt8] = [0, 0, 8, 6, 1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

  /// A connection's first bytes up to a request on stream 1 whose body has not ended.
  static func begun(_ head: RequestHead, body: String) throws -> [UInt8] {
    let session = try HTTP2ClientSession()
    _ = session.submit(head, body: Array(body.utf8))
    var bytes: [UInt8] = []
    session.takeOutput(into: &bytes, limit: 1 << 20)
    // The DATA frame is the last one; without its flag END_STREAM the request is not complete.
    bytes[bytes.count - body.utf8.count - 9 + 4] = 0
    return bytes
  }

  /// A DATA frame that ends stream 1.
  static func lastData(_ body: String) -> [UInt8] {
    [0, 0, UInt8(body.utf8.count), 0, 1, 0, 0, 0, 1] + body.utf8
  }
}

extension TestGateway {
  /// The first bytes of a connection with a push whose body has not ended.
  func begun(_ token: String, body: String) throws -> [UInt8] {
    try RawHTTP2.begun(apnsHead(token, authorization: try providerToken()), body: body)
  }
}

extension BlockingSocket {
  /// Reads until these bytes have come, and returns all that came.
  func read(until bytes: [UInt8]) -> [UInt8] {
    var received: [UInt8] = []
    while !received.contains(bytes) {
      let piece = read()
      if piece.isEmpty { break }
      received += piece
    }
    return received
  }
}

extension [UInt8] {
  /// Whether these are its last bytes.
  func ends(with bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
