import PushpitHTTPTypes

/// Writes answers in HTTP/1.1's format into their stream's outbound bytes.
enum HTTP1ResponseWriter {
  /// Whether the answer may have a body (RFC 9110 section 6.4.1).
  static func hasBody(_ stream: ServerStream) -> Bool {
    let status = stream.response.status
    return !stream.isHeadRequest && status != 204 && status != 304
  }

  /// Writes the head of an answer whose length is known, or nil for that of an unknown one.
  static func writeHead(of stream: ServerStream, bodyCount: Int?) {
    writeStatusAndFields(of: stream)
    let status = stream.response.status
    if let bodyCount, status != 204, status != 304,
      stream.response.fields.first("content-length") == nil
    {
      append("content-length: ", to: stream)
      stream.outbound.append(contentsOf: String(bodyCount).utf8)
      append("\r\n", to: stream)
    }
    writeConnectionAndEnd(of: stream)
  }

  /// Writes the head of an answer that follows in pieces: in chunks, or in HTTP/1.0 until the close.
  static func writeStreamingHead(of stream: ServerStream) {
    if stream.http1.isVersion10 {
      stream.http1.keepsAlive = false
    } else {
      stream.http1.isChunked = hasBody(stream)
    }
    writeStatusAndFields(of: stream)
    if stream.http1.isChunked { append("transfer-encoding: chunked\r\n", to: stream) }
    writeConnectionAndEnd(of: stream)
  }

  /// Writes one piece of a body.
  static func writeBody(_ bytes: UnsafeBufferPointer<UInt8>, of stream: ServerStream) {
    guard stream.http1.isChunked else { return stream.outbound.append(contentsOf: bytes) }
    stream.outbound.append(contentsOf: String(bytes.count, radix: 16).utf8)
    append("\r\n", to: stream)
    stream.outbound.append(contentsOf: bytes)
    append("\r\n", to: stream)
  }

  /// Writes the end of a body that came in pieces.
  static func writeEnd(of stream: ServerStream) {
    if stream.http1.isChunked { append("0\r\n\r\n", to: stream) }
  }

  private static func writeStatusAndFields(of stream: ServerStream) {
    append("HTTP/1.1 ", to: stream)
    stream.outbound.append(contentsOf: String(stream.response.status).utf8)
    append(" ", to: stream)
    append(HTTP1Reason.phrase(stream.response.status), to: stream)
    append("\r\n", to: stream)
    let fields = stream.response.fields
    fields.bytes.withUnsafeBufferPointer { bytes in
      for entry in fields.entries {
        stream.outbound.append(
          copying: UnsafeBufferPointer(rebasing: bytes[entry.name]), Self.bytes(of: ": "))
        stream.outbound.append(
          copying: UnsafeBufferPointer(rebasing: bytes[entry.value]), Self.bytes(of: "\r\n"))
      }
    }
  }

  private static func writeConnectionAndEnd(of stream: ServerStream) {
    if !stream.http1.keepsAlive {
      append("connection: close\r\n", to: stream)
    } else if stream.http1.isVersion10 {
      append("connection: keep-alive\r\n", to: stream)
    }
    append("\r\n", to: stream)
  }

  private static func append(_ text: StaticString, to stream: ServerStream) {
    stream.outbound.append(copying: bytes(of: text))
  }

  private static func bytes(of text: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
