internal import CNghttp2

/// The callbacks of client sessions: each finds the inbox and records.
enum HTTP2ClientCallbacks {
  /// nghttp2's table of callbacks, which the caller deletes; nil without memory.
  static func makeTable() -> OpaquePointer? {
    var table: OpaquePointer?
    guard nghttp2_session_callbacks_new(&table) == 0 else { return nil }
    nghttp2_session_callbacks_set_on_header_callback(table, receiveField)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table, receiveData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(table, receiveFrame)
    nghttp2_session_callbacks_set_on_frame_not_send_callback(table, frameNotSent)
    nghttp2_session_callbacks_set_on_stream_close_callback(table, closeStream)
    return table
  }

  private static let receiveField: nghttp2_on_header_callback = {
    _, frame, name, nameCount, value, valueCount, _, userData in
    guard let frame, let inbox = inbox(userData) else { return failed }
    inbox.receiveField(
      frame.pointee.hd.stream_id, UnsafeBufferPointer(start: name, count: nameCount),
      UnsafeBufferPointer(start: value, count: valueCount))
    return 0
  }

  private static let receiveData: nghttp2_on_data_chunk_recv_callback = {
    _, _, id, bytes, count, userData in
    inbox(userData)?.receiveData(id, UnsafeBufferPointer(start: bytes, count: count))
    return 0
  }

  private static let frameNotSent: nghttp2_on_frame_not_send_callback = { _, frame, _, userData in
    guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
    inbox(userData)?.closeStream(
      frame.pointee.hd.stream_id, code: NGHTTP2_REFUSED_STREAM.rawValue)
    return 0
  }

  private static let closeStream: nghttp2_on_stream_close_callback = { _, id, code, userData in
    inbox(userData)?.closeStream(id, code: code)
    return 0
  }

  /// Copies the next bytes of a request's body into nghttp2's frame.
  static let readBody: nghttp2_data_source_read_callback = {
    _, id, buffer, capacity, flags, _, userData in
    guard let flags, let inbox = inbox(userData) else {
      return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    return inbox.fill(UnsafeMutableBufferPointer(start: buffer, count: capacity), id, flags)
  }

  private static let receiveFrame: nghttp2_on_frame_recv_callback = { _, frame, userData in
    guard let frame = frame?.pointee, let inbox = inbox(userData) else { return failed }
    let isLast = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(frame.hd.type) {
    case NGHTTP2_HEADERS.rawValue: inbox.endHeaders(frame.hd.stream_id, isLast: isLast)
    case NGHTTP2_DATA.rawValue where isLast: inbox.endBody(frame.hd.stream_id)
    case NGHTTP2_SETTINGS.rawValue: inbox.receiveSettings(frame.settings)
    case NGHTTP2_GOAWAY.rawValue: inbox.receiveGoAway(frame.goaway)
    default: break
    }
    return 0
  }

  private static let failed = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)

  private static func inbox(_ userData: UnsafeMutableRawPointer?) -> HTTP2ClientInbox? {
    userData.map { Unmanaged<HTTP2ClientInbox>.fromOpaque($0).takeUnretainedValue() }
  }
}
