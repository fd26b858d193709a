/// One HTTP/2 frame, written and read by hand, so that tests see bytes and not a library's opinion.
struct Frame: Equatable, CustomStringConvertible {
  var type: UInt8
  var flags: UInt8 = 0
  var stream: UInt32 = 0
  var payload: [UInt8] = []

  static let data: UInt8 = 0
  static let headers: UInt8 = 1
  static let reset: UInt8 = 3
  static let settings: UInt8 = 4
  static let goAway: UInt8 = 7
  static let windowUpdate: UInt8 = 8
  static let endStream: UInt8 = 1
  static let ack: UInt8 = 1
  static let endHeaders: UInt8 = 4
  static let priority: UInt8 = 32

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  static let settingsAck = Frame(type: settings, flags: ack)

  var bytes: [UInt8] {
    [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
      + [type, flags] + Self.word(stream) + payload
  }

  var description: String { "type \(type) flags \(flags) stream \(stream) \(payload.count) bytes" }

  /// The error code of RST_STREAM or GOAWAY.
  var code: UInt32 {
    payload.suffix(from: type == Self.goAway ? 4 : 0).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  var endsStream: Bool { flags & Self.endStream != 0 }

  static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
  }

  static func headers(
    _ stream: UInt32, _ fields: [(String, String)], end: Bool = true, priority: Bool = false
  ) -> Frame {
    var block: [UInt8] = priority ? [0, 0, 0, 0, 15] : []
    for (name, value) in fields { block += [0] + text(name) + text(value) }
    return Frame(
      type: headers,
      flags: endHeaders | (end ? endStream : 0) | (priority ? Self.priority : 0),
      stream: stream, payload: block)
  }

  static func data(_ stream: UInt32, _ payload: [UInt8], end: Bool = true) -> Frame {
    Frame(type: data, flags: end ? endStream : 0, stream: stream, payload: payload)
  }

  static func reset(_ stream: UInt32, code: UInt32 = 8) -> Frame {
    Frame(type: reset, stream: stream, payload: word(code))
  }

  static func windowUpdate(_ stream: UInt32, _ count: UInt32) -> Frame {
    Frame(type: windowUpdate, stream: stream, payload: word(count))
  }

  /// A literal of HPACK without Huffman coding: a 7-bit prefixed length and the bytes.
  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var length: [UInt8] = [127]
    var rest = bytes.count - 127
    while rest >= 128 {
      length.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return length + [UInt8(rest)] + bytes
  }

  /// The frames of an output; the rest of an incomplete one is left out.
  static func split(_ bytes: [UInt8]) -> [Frame] {
    var frames: [Frame] = []
    var start = 0
    while start + 9 <= bytes.count {
      let count = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
      guard start + 9 + count <= bytes.count else { break }
      frames.append(
        Frame(
          type: bytes[start + 3], flags: bytes[start + 4],
          stream: bytes[(start + 5)..<(start + 9)].reduce(0) { $0 << 8 | UInt32($1) } & 0x7fff_ffff,
          payload: Array(bytes[(start + 9)..<(start + 9 + count)])))
      start += 9 + count
    }
    return frames
  }

  /// The fields of a valid request.
  static func request(
    method: String = "POST", path: String = "/3/device/00", _ more: [(String, String)] = []
  ) -> [(String, String)] {
    [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost")] + more
  }
}
