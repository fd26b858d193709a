internal import PushpitHTTP
internal import PushpitHTTPTypes

/// What Apple's front end sends to a request in HTTP/1.x over TLS: HTTP/2 frames.
///
/// A SETTINGS frame, then GOAWAY with last stream 0x7FFFFFFF, PROTOCOL_ERROR and the debug text
/// `Unexpected HTTP/1.x request: GET /3/device/ `: the start of the request line up to `HTTP/1.`
/// (observed 2019 and July 2026 with curl; the text is that of Netty).
enum AppleHTTP1Answer {
  /// Apple's SETTINGS frame: header table 4096, streams 1, frame 16384, header list 8000.
  private static let settings: [UInt8] = [
    0, 0, 24, 4, 0, 0, 0, 0, 0,
    0, 1, 0, 0, 0x10, 0, 0, 3, 0, 0, 0, 1, 0, 5, 0, 0, 0x40, 0, 0, 6, 0, 0, 0x1F, 0x40,
  ]

  /// The bytes of both frames for a request.
  static func bytes(for head: RequestHead) -> [UInt8] {
    let space = [UInt8(ascii: " ")]
    return settings
      + UnexpectedHTTP1.goAway(lineStart: head.method + space + head.target + space)
  }
}
