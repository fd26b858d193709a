/// A GOAWAY frame as bytes, to be written between the frames of nghttp2.
///
/// nghttp2's own GOAWAY would make it ignore new streams without a word and decide on the end of the
/// connection; a frame of ours does neither.
package struct GoAwayFrame {
  /// NO_ERROR (RFC 9113 section 7).
  package static let noError: UInt32 = 0
  /// PROTOCOL_ERROR.
  package static let protocolError: UInt32 = 1

  /// The error code.
  package var code: UInt32
  /// The last stream that was or may be worked on; the peer may send later ones again elsewhere.
  package var lastStreamID: UInt32
  /// What follows the two, for people.
  package var debugData: [UInt8]

  package init(
    code: UInt32 = GoAwayFrame.noError, lastStreamID: UInt32, debugData: [UInt8] = []
  ) {
    self.code = code
    self.lastStreamID = lastStreamID
    self.debugData = debugData
  }

  /// The whole frame.
  package var bytes: [UInt8] {
    let count = 8 + debugData.count
    let head: [UInt8] = [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8),
      UInt8(truncatingIfNeeded: count), 7, 0, 0, 0, 0, 0,
    ]
    return head + Self.word(lastStreamID & 0x7FFF_FFFF) + Self.word(code) + debugData
  }

  /// Four bytes in network order.
  static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
