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
    guard let frame, let userData else { return failed }
    let id = frame.pointee.hd.stream_id
    guard frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else {
      return record(session, id, userData) { $0.beginTrailers($1) }
    }
    guard let stream = inbox(userData)._withUnsafeGuaranteedRef({ $0.openStream(id) }) else {
      // nghttp2's documentation: submit another code before returning, else it is INTERNAL_ERROR.
      nghttp2_submit_rst_stream(session, 0, id, UInt32(NGHTTP2_REFUSED_STREAM.rawValue))
      return Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    return nghttp2_session_set_stream_user_data(session, id, stream.toOpaque())
  }

  static let receiveField: nghttp2_on_header_callback = {
    _, _, name, nameCount, value, valueCount, _, userData in
    guard let userData else { return failed }
    inbox(userData)._withUnsafeGuaranteedRef {
      $0.receiveField(
        name: UnsafeBufferPointer(start: name, count: nameCount),
        value: UnsafeBufferPointer(start: value, count: valueCount))
    }
    return 0
  }

  static let receiveData: nghttp2_on_data_chunk_recv_callback = {
    session, _, id, bytes, count, userData in
    record(session, id, userData) {
      $0.receiveData($1, UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  static let receiveFrame: nghttp2_on_frame_recv_callback = { session, frame, userData in
    guard let frame, let userData else { return failed }
    let header = frame.pointee.hd
    let isLast = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue:
      return record(session, header.stream_id, userData) { $0.endHeaders($1, isLast: isLast) }
    case NGHTTP2_DATA.rawValue where isLast:
      return record(session, header.stream_id, userData) { $0.endRequest($1) }
    case NGHTTP2_SETTINGS.rawValue:
      let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
      inbox(userData)._withUnsafeGuaranteedRef { $0.receiveSettings(isAcknowledgement) }
    default: break
    }
    return 0
  }

  static let closeStream: nghttp2_on_stream_close_callback = { session, id, code, userData in
    record(session, id, userData) { $0.closeStream($1, code: code) }
  }

  /// Copies the next bytes of an answer's body into nghttp2's frame.
  static let readBody: nghttp2_data_source_read_callback = {
    session, id, buffer, capacity, flags, _, userData in
    var result = Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    guard let buffer, let flags else { return result }
    _ = record(session, id, userData) {
      result = $0.fill(UnsafeMutableBufferPointer(start: buffer, count: capacity), from: $1) {
        flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
      }
    }
    return result
  }

  private static let failed = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)

  /// Calls with the inbox and an open stream, or not at all when the stream is not ours.
  ///
  /// Neither is retained for the call: the session, which is running, holds the inbox, and that holds
  /// every stream that nghttp2 knows until nghttp2 has returned.
  @inline(__always)
  private static func record(
    _ session: OpaquePointer?, _ id: Int32, _ userData: UnsafeMutableRawPointer?,
    _ body: (HTTP2Inbox, ServerStream) -> Void
  ) -> Int32 {
    guard let userData else { return failed }
    guard let stream = nghttp2_session_get_stream_user_data(session, id) else { return 0 }
    inbox(userData)._withUnsafeGuaranteedRef { inbox in
      Unmanaged<ServerStream>.fromOpaque(stream)._withUnsafeGuaranteedRef { body(inbox, $0) }
    }
    return 0
  }

  @inline(__always)
  private static func inbox(_ userData: UnsafeMutableRawPointer) -> Unmanaged<HTTP2Inbox> {
    .fromOpaque(userData)
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
