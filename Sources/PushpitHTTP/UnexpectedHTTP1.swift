/// What a sender of HTTP/1.x is told where only HTTP/2 is spoken: a GOAWAY frame.
///
/// Last stream 0x7FFFFFFF, PROTOCOL_ERROR and the debug text `Unexpected HTTP/1.x request: ` with the
/// start of the request line up to `HTTP/1.` (observed at Apple's with curl in 2019 and July 2026; the
/// text is that of Netty).
package enum UnexpectedHTTP1 {
  /// The longest part of a request line that is repeated.
  private static let lineLimit = 4096

  /// The frame for the connection's first bytes; nil when they are no such request.
  static func goAway(for bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let line = bytes.prefix(lineLimit).prefix { $0 != UInt8(ascii: "\r") }
    guard let mark = line.lastIndex(of: UInt8(ascii: " ")),
      line[(mark + 1)...].starts(with: "HTTP/1.".utf8)
    else { return nil }
    return goAway(lineStart: Array(line[...mark]))
  }

  /// The frame for a request line up to its version, blank included.
  package static func goAway(lineStart: [UInt8]) -> [UInt8] {
    GoAwayFrame(
      code: GoAwayFrame.protocolError, lastStreamID: 0x7FFF_FFFF,
      debugData: "Unexpected HTTP/1.x request: ".utf8 + lineStart
    ).bytes
  }
}
