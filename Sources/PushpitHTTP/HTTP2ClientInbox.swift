internal import CNghttp2
import PushpitHTTPTypes

/// One request of a client and what came of its answer.
struct HTTP2ClientStream {
  /// The body to send, of which `sentCount` bytes are gone.
  let requestBody: [UInt8]
  var sentCount = 0
  var response = ResponseHead()
  var isHeadComplete = false
  var isEnded = false

  init(requestBody: [UInt8]) { self.requestBody = requestBody }
}

/// What nghttp2's callbacks of one client session record.
final class HTTP2ClientInbox {
  var streams: [Int32: HTTP2ClientStream] = [:]
  var events: [ClientEvent] = []

  func receiveField(
    _ id: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    guard streams[id]?.isHeadComplete == false else { return }
    if name.isEqual(":status") {
      streams[id]?.response.reset(status: FieldRules.decimal(value).map { Int($0) } ?? 0)
    } else {
      streams[id]?.response.fields.append(name: name, value: value)
    }
  }

  func endHeaders(_ id: Int32, isLast: Bool) {
    guard let stream = streams[id] else { return }
    if stream.isHeadComplete {
      if isLast { endBody(id) }
    } else if stream.response.status >= 200 {
      streams[id]?.isHeadComplete = true
      streams[id]?.isEnded = isLast
      events.append(.head(id: Int64(id), stream.response, isLast: isLast))
    }
  }

  func receiveData(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    events.append(.body(id: Int64(id), Array(bytes), isLast: false))
  }

  func endBody(_ id: Int32) {
    guard streams[id]?.isEnded == false else { return }
    streams[id]?.isEnded = true
    events.append(.body(id: Int64(id), [], isLast: true))
  }

  func closeStream(_ id: Int32, code: UInt32) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    if !stream.isEnded { events.append(.reset(id: Int64(id), code: code)) }
  }

  func receiveGoAway(_ frame: nghttp2_goaway) {
    events.append(
      .goAway(
        lastID: Int64(frame.last_stream_id), code: frame.error_code,
        debug: Array(UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len))))
  }

  func receiveSettings(_ frame: nghttp2_settings) {
    for entry in UnsafeBufferPointer(start: frame.iv, count: frame.niv)
    where UInt32(bitPattern: entry.settings_id) == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue
    {
      events.append(.streamLimit(Int(entry.value)))
    }
  }

  /// Copies the next bytes of a request's body into a frame.
  func fill(
    _ frame: UnsafeMutableBufferPointer<UInt8>, _ id: Int32, _ flags: UnsafeMutablePointer<UInt32>
  ) -> Int {
    guard let stream = streams[id] else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let count = min(frame.count, stream.requestBody.count - stream.sentCount)
    let end = stream.sentCount + count
    _ = frame.update(fromContentsOf: stream.requestBody[stream.sentCount..<end])
    streams[id]?.sentCount = end
    if end == stream.requestBody.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
  }
}
