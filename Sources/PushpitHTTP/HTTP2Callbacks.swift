internal import CNghttp2

/// The callbacks of server sessions: each finds the inbox and the stream, and records.
enum HTTP2Callbacks {
  /// nghttp2's table of callbacks, which the caller deletes; nil without memory.
  static func makeServerTable() -> OpaquePointer? {
    var table: OpaquePointer?
    guard nghttp2_session_callbacks_new(&table) == 0 else { return nil }
    nghttp2_session_callbacks_set_on_begin_headers_callback(table, beginHeaders)
    nghttp2_session_callbacks_set_on_header_callback(table, receiveField)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table, receiveData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(table, receiveFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(table, closeStream)
    return table
  }

  static let beginHeaders: nghttp2_on_begin_headers_callback = { session, frame, userData in
    guard let frame, let inbox = inbox(userData) else { return failed }
    let id = frame.pointee.hd.stream_id
    guard frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
    guard let stream = inbox.openStream(id) else {
      // nghttp2's documentation: submit another code before returning, else it is INTERNAL_ERROR.
      nghttp2_submit_rst_stream(session, 0, id, UInt32(NGHTTP2_REFUSED_STREAM.rawValue))
      return Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    return nghttp2_session_set_stream_user_data(
      session, id, Unmanaged.passUnretained(stream).toOpaque())
  }

  static let receiveField: nghttp2_on_header_callback = {
    session, frame, name, nameCount, value, valueCount, _, userData in
    guard let frame, let inbox = inbox(userData) else { return failed }
    guard let stream = stream(session, frame.pointee.hd.stream_id) else { return 0 }
    inbox.receiveField(
      stream, name: UnsafeBufferPointer(start: name, count: nameCount),
      value: UnsafeBufferPointer(start: value, count: valueCount))
    return 0
  }

  static let receiveData: nghttp2_on_data_chunk_recv_callback = {
    session, _, id, bytes, count, userData in
    guard let inbox = inbox(userData) else { return failed }
    guard let stream = stream(session, id) else { return 0 }
    inbox.receiveData(stream, UnsafeBufferPointer(start: bytes, count: count))
    return 0
  }

  static let receiveFrame: nghttp2_on_frame_recv_callback = { session, frame, userData in
    guard let frame, let inbox = inbox(userData) else { return failed }
    let header = frame.pointee.hd
    let isLast = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue:
      if let stream = stream(session, header.stream_id) {
        inbox.endHeaders(stream, isLast: isLast)
      }
    case NGHTTP2_DATA.rawValue where isLast:
      if let stream = stream(session, header.stream_id) { inbox.endRequest(stream) }
    case NGHTTP2_SETTINGS.rawValue:
      inbox.noteFrame()
      if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 { inbox.streamLimit.acknowledge() }
    default: break
    }
    return 0
  }

  static let closeStream: nghttp2_on_stream_close_callback = { session, id, code, userData in
    guard let inbox = inbox(userData) else { return failed }
    guard let stream = stream(session, id) else { return 0 }
    inbox.closeStream(stream, code: code)
    return 0
  }

  /// Copies the next bytes of an answer's body into nghttp2's frame.
  static let readBody: nghttp2_data_source_read_callback = {
    session, id, buffer, capacity, flags, _, userData in
    guard let buffer, let flags, let inbox = inbox(userData), let stream = stream(session, id)
    else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    return inbox.fill(UnsafeMutableBufferPointer(start: buffer, count: capacity), from: stream) {
      flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    }
  }

  private static let failed = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)

  @inline(__always)
  private static func inbox(_ userData: UnsafeMutableRawPointer?) -> HTTP2Inbox? {
    userData.map { Unmanaged<HTTP2Inbox>.fromOpaque($0).takeUnretainedValue() }
  }

  @inline(__always)
  private static func stream(_ session: OpaquePointer?, _ id: Int32) -> ServerStream? {
    nghttp2_session_get_stream_user_data(session, id).map {
      Unmanaged<ServerStream>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension HTTP2Inbox {
  /// Moves body bytes into a frame; calls `markEnd` with the last of them.
  ///
  /// Returns nghttp2's code for "later" when there is nothing to send now.
  @inline(__always)
  fileprivate func fill(
    _ frame: UnsafeMutableBufferPointer<UInt8>, from stream: ServerStream, markEnd: () -> Void
  ) -> Int {
    let count = min(frame.count, stream.bufferedByteCount)
    if count == 0, !stream.isFinished {
      stream.http2.isDeferred = true
      return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }
    let start = stream.outboundStart
    _ = frame.update(fromContentsOf: stream.outbound[start..<start + count])
    stream.dropOutbound(count)
    bufferedByteCount -= count
    if stream.isFinished, stream.bufferedByteCount == 0 { markEnd() }
    return count
  }
}
