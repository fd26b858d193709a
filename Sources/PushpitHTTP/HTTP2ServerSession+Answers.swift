internal import CNghttp2
import PushpitHTTPTypes

/// Which identifying fields a connection's answers have carried.
struct SentIdentifiers {
  private var apnsID = false
  private var apnsUniqueID = false
  private var apnsRequestID = false
  private var apnsChannelID = false

  /// Whether this is the name of an identifier that was sent before; it is now.
  fileprivate mutating func note(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if name.isEqual("apns-id") { return note(\.apnsID) }
    if name.isEqual("apns-unique-id") { return note(\.apnsUniqueID) }
    if name.isEqual("apns-request-id") { return note(\.apnsRequestID) }
    if name.isEqual("apns-channel-id") { return note(\.apnsChannelID) }
    return false
  }

  @inline(__always)
  private mutating func note(_ flag: WritableKeyPath<SentIdentifiers, Bool>) -> Bool {
    defer { self[keyPath: flag] = true }
    return self[keyPath: flag]
  }
}

extension HTTP2ServerSession: StreamOwner {
  func respond(_ stream: ServerStream, body: UnsafeBufferPointer<UInt8>?) {
    guard let body, !body.isEmpty, !stream.isHeadRequest else {
      submitHead(stream, hasBody: false)
      return requestService()
    }
    append(body, to: stream)
    submitHead(stream, hasBody: true)
    requestService()
  }

  func startStreaming(_ stream: ServerStream) {
    submitHead(stream, hasBody: true)
    requestService()
  }

  func write(_ stream: ServerStream, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !bytes.isEmpty else { return }
    append(bytes, to: stream)
    resume(stream)
  }

  func finish(_ stream: ServerStream) { resume(stream) }

  func reset(_ stream: ServerStream, code: UInt32) {
    nghttp2_submit_rst_stream(session, 0, Int32(truncatingIfNeeded: stream.id), code)
    requestService()
  }

  func respondRaw(_ stream: ServerStream, _ bytes: [UInt8]) {
    // Raw answers are HTTP/1.1's; here the bytes would break the framing.
    reset(stream, code: NGHTTP2_INTERNAL_ERROR.rawValue)
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>, to stream: ServerStream) {
    stream.outbound.append(contentsOf: bytes)
    inbox.bufferedByteCount += bytes.count
  }

  private func resume(_ stream: ServerStream) {
    guard stream.http2.isDeferred else { return }
    stream.http2.isDeferred = false
    nghttp2_session_resume_data(session, Int32(truncatingIfNeeded: stream.id))
    requestService()
  }

  private func submitHead(_ stream: ServerStream, hasBody: Bool) {
    // Taken out for the call: a second reference would be counted, and nothing looks at it meanwhile.
    var head = ResponseHead()
    swap(&head, &stream.response)
    defer { swap(&head, &stream.response) }
    let fields = head.fields
    let count = fields.entries.count + 1
    let nameValues = resources.reserveFields(count)
    nameValues[0] = resources.statusField(head.status)
    fields.bytes.withUnsafeBufferPointer { bytes in
      // nghttp2 only reads them, and has copied them when it returns.
      let start = UnsafeMutablePointer(mutating: bytes.baseAddress)
      for (index, entry) in fields.entries.enumerated() {
        let name = start.map { $0 + Int(entry.start) }
        nameValues[index + 1] = nghttp2_nv(
          name: name, value: name.map { $0 + Int(entry.nameCount) },
          namelen: Int(entry.nameCount), valuelen: Int(entry.valueCount),
          flags: flags(name, Int(entry.nameCount)))
      }
      let id = Int32(truncatingIfNeeded: stream.id)
      var provider = nghttp2_data_provider()
      provider.read_callback = HTTP2Callbacks.readBody
      let code = withUnsafePointer(to: &provider) {
        nghttp2_submit_response(session, id, nameValues.baseAddress, count, hasBody ? $0 : nil)
      }
      if code != 0 {
        nghttp2_submit_rst_stream(session, 0, id, NGHTTP2_INTERNAL_ERROR.rawValue)
      }
    }
  }

  /// How a field is compressed.
  ///
  /// Apple indexes the first `apns-id` of a connection and writes later ones as never indexed
  /// (decoded from raw bytes in 2018). Each is new, so they would only wear out the peer's table;
  /// the other identifiers are treated alike.
  private func flags(_ name: UnsafeMutablePointer<UInt8>?, _ count: Int) -> UInt8 {
    let wasSent = sentIdentifiers.note(
      UnsafeBufferPointer(start: UnsafePointer(name), count: count))
    return UInt8(wasSent ? NGHTTP2_NV_FLAG_NO_INDEX.rawValue : NGHTTP2_NV_FLAG_NONE.rawValue)
  }
}
