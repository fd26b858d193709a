/// The SETTINGS that a server's HTTP/2 begins with: those of Apple's gateway, in its order.
///
/// Captures of 2017 and 2021 have these five; some of 2016 and 2018 lack INITIAL_WINDOW_SIZE, which
/// is the protocol's default and changes nothing. The newest whole capture decides.
package enum FirstSettings {
  /// The identifier of MAX_CONCURRENT_STREAMS, whose value is the connection's own.
  static let streamLimitID: UInt16 = 3

  /// Identifiers and values for a stream limit (RFC 9113 section 6.5.2).
  static func entries(streamLimit: UInt32) -> [(id: UInt16, value: UInt32)] {
    [(1, 4096), (streamLimitID, streamLimit), (4, 65_535), (5, 16_384), (6, 8000)]
  }

  /// The whole frame, for an answer in HTTP/2 where no session speaks it.
  package static func frame(streamLimit: UInt32) -> [UInt8] {
    let entries = entries(streamLimit: streamLimit)
    var frame: [UInt8] = [0, 0, UInt8(entries.count * 6), 4, 0, 0, 0, 0, 0]
    for entry in entries {
      frame += [UInt8(entry.id >> 8), UInt8(entry.id & 0xFF)] + GoAwayFrame.word(entry.value)
    }
    return frame
  }
}
