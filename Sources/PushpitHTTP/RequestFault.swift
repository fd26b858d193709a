/// What is wrong with an HTTP/2 request that is refused before a handler sees it.
package enum RequestFault: UInt8, Sendable, Equatable {
  case method, scheme, path, authority, pseudoField, incomplete, connect
  case fieldName, fieldValue, oneHopField, te, host, contentLength, trailers
  case headTooLong

  /// The rule that it breaks, as the end of a sentence.
  package var text: StaticString {
    switch self {
    case .method: ":method must be a token and come once"
    case .scheme: ":scheme must be a scheme such as https and come once"
    case .path: ":path must come once, not be empty and have no control characters"
    case .authority: ":authority must be host and port and come once"
    case .pseudoField:
      "only :method, :scheme, :path and :authority begin with a colon, and they come first"
    case .incomplete:
      ":method, :scheme, a :path that begins with a slash, and :authority or host are required"
    case .connect: "CONNECT has :authority and neither :scheme nor :path"
    case .fieldName: "field names are lower-case tokens"
    case .fieldValue: "field values have no line breaks or other control characters"
    case .oneHopField:
      "connection, keep-alive, proxy-connection, transfer-encoding and upgrade have no place in HTTP/2"
    case .te: "te may only be trailers"
    case .host: "host must be a host and port and come once"
    case .contentLength: "content-length must be one number, that of the body's bytes"
    case .trailers: "trailers end the stream and have no field that begins with a colon"
    case .headTooLong: "the header fields are too long together"
    }
  }
}
