internal import PushpitHTTP
internal import PushpitHTTPTypes

/// What Apple's front end sends to a request in HTTP/1.x over TLS: HTTP/2 frames.
///
/// A SETTINGS frame, then GOAWAY with last stream 0x7FFFFFFF, PROTOCOL_ERROR and the debug text
/// `Unexpected HTTP/1.x request: GET /3/device/ `: the start of the request line up to `HTTP/1.`
/// (observed 2019 and July 2026 with curl; the text is that of Netty).
enum AppleHTTP1Answer {
  /// The bytes of both frames for a request.
  ///
  /// SETTINGS is the one that every connection begins with, for one stream. What curl printed in 2019
  /// has no byte above 0x7F before GOAWAY, so it had one stream and, like captures of HTTP/2 from 2018,
  /// no INITIAL_WINDOW_SIZE; the front end is the same for both, and its newest capture has five entries.
  static func bytes(for head: RequestHead) -> [UInt8] {
    let space = [UInt8(ascii: " ")]
    return FirstSettings.frame(streamLimit: 1)
      + UnexpectedHTTP1.goAway(lineStart: head.method + space + head.target + space)
  }
}
