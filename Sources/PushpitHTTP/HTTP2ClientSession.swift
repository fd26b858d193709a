internal import CNghttp2
package import PushpitHTTPTypes

/// The client's side of one HTTP/2 connection, on nghttp2, which holds requests back by itself when
/// the server's stream limit is reached.
package final class HTTP2ClientSession: HTTPClientSession {
  package private(set) var failure: ConnectionFailure?

  /// Owned; nil once the connection has ended.
  private var session: OpaquePointer?
  private let inbox = HTTP2ClientInbox()
  private var refusedCount: Int64 = 0

  /// Makes a session that opens at most `assumedStreamLimit` streams before the server's SETTINGS.
  package init(assumedStreamLimit: Int = 100) throws(ConnectionFailure) {
    session = try Self.makeSession(inbox, assumedStreamLimit)
    var entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
    nghttp2_submit_settings(session, 0, &entry, 1)
  }

  deinit { nghttp2_session_del(session) }

  package var openRequestCount: Int { inbox.streams.count }

  package var wantsClose: Bool {
    guard let session else { return true }
    return nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  package func submit(_ head: RequestHead, body: [UInt8]) -> Int64 {
    guard let session else { return refuse() }
    var fields = FieldList()
    fields.append(":method", head.method)
    fields.append(":scheme", head.scheme)
    if !head.authority.isEmpty { fields.append(":authority", head.authority) }
    fields.append(":path", head.target)
    for entry in head.fields.entries {
      head.fields.bytes.withUnsafeBufferPointer {
        fields.append(
          name: UnsafeBufferPointer(rebasing: $0[entry.name]),
          value: UnsafeBufferPointer(rebasing: $0[entry.value]))
      }
    }
    let id = Self.submit(session, fields, hasBody: !body.isEmpty)
    guard id > 0 else { return refuse() }
    inbox.streams[id] = HTTP2ClientStream(requestBody: body)
    return Int64(id)
  }

  package func cancel(_ id: Int64) {
    nghttp2_submit_rst_stream(
      session, 0, Int32(truncatingIfNeeded: id), NGHTTP2_CANCEL.rawValue)
  }

  package func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let session, failure == nil else { return }
    let result = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
    if result < 0 { fail(Int32(result)) }
  }

  package func takeEvents() -> [ClientEvent] {
    defer { inbox.events.removeAll(keepingCapacity: true) }
    return inbox.events
  }

  package func takeOutput(into buffer: inout [UInt8], limit: Int) {
    let end = buffer.count + limit
    while let session, buffer.count < end {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      if count < 0 { fail(Int32(count)) }
      guard count > 0 else { return }
      buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  package func connectionEnded() {
    for id in inbox.streams.keys.sorted() {
      inbox.closeStream(id, code: NGHTTP2_CANCEL.rawValue)
    }
    nghttp2_session_del(session)
    session = nil
  }

  /// Resets a request that cannot be sent any more; its identifier is negative.
  private func refuse() -> Int64 {
    refusedCount += 1
    inbox.events.append(.reset(id: -refusedCount, code: NGHTTP2_REFUSED_STREAM.rawValue))
    return -refusedCount
  }

  private func fail(_ code: Int32) {
    failure = .library(String(cString: nghttp2_strerror(code)))
    connectionEnded()
  }
}

extension HTTP2ClientSession {
  private static func makeSession(
    _ inbox: HTTP2ClientInbox, _ assumedStreamLimit: Int
  ) throws(ConnectionFailure) -> OpaquePointer? {
    let callbacks = HTTP2ClientCallbacks.makeTable()
    defer { nghttp2_session_callbacks_del(callbacks) }
    var options: OpaquePointer?
    guard callbacks != nil, nghttp2_option_new(&options) == 0 else {
      throw .library("no memory for an HTTP/2 session")
    }
    defer { nghttp2_option_del(options) }
    nghttp2_option_set_peer_max_concurrent_streams(
      options, UInt32(truncatingIfNeeded: assumedStreamLimit))
    var session: OpaquePointer?
    let code = nghttp2_session_client_new2(
      &session, callbacks, Unmanaged.passUnretained(inbox).toOpaque(), options)
    guard code == 0 else { throw .library(String(cString: nghttp2_strerror(code))) }
    return session
  }

  private static func submit(
    _ session: OpaquePointer, _ fields: FieldList, hasBody: Bool
  ) -> Int32 {
    fields.bytes.withUnsafeBufferPointer { bytes in
      // nghttp2 only reads them, and has copied them when it returns.
      let start = UnsafeMutablePointer(mutating: bytes.baseAddress)
      let nameValues = fields.entries.map { entry in
        nghttp2_nv(
          name: start.map { $0 + entry.name.lowerBound },
          value: start.map { $0 + entry.value.lowerBound },
          namelen: entry.name.count, valuelen: entry.value.count,
          flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      guard hasBody else {
        return nghttp2_submit_request(session, nil, nameValues, nameValues.count, nil, nil)
      }
      var provider = nghttp2_data_provider()
      provider.read_callback = HTTP2ClientCallbacks.readBody
      return nghttp2_submit_request(session, nil, nameValues, nameValues.count, &provider, nil)
    }
  }
}
