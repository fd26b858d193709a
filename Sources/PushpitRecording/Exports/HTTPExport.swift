internal import PushpitModel

/// A recorded request as a message of HTTP/1.1 (RFC 9112), whatever protocol brought it.
struct HTTPExport {
  private let envelope: Envelope
  private let body: [UInt8]

  init(_ envelope: Envelope) throws(ExportRefusal) {
    self.envelope = envelope
    body = try envelope.exportedBody().bytes
  }

  /// Request line, fields in their order, an empty line, body.
  var message: [UInt8] {
    let target = ExportText(envelope.target, cutFor: envelope.service).bytes
    var bytes = Array("\(envelope.method) ".utf8) + target + Array(" HTTP/1.1\r\n".utf8)
    // HTTP/2 has it as a pseudo-field (RFC 9113 section 8.3.1).
    if let host = envelope.host, !names.contains("host") {
      bytes += Array("host: \(host)\r\n".utf8)
    }
    var isFramed = false
    for (field, name) in zip(envelope.fields, names) {
      let isLength = name == "content-length"
      if isLength || name == "transfer-encoding" {
        // The body here has no chunks, and may have variables where it had credentials.
        guard !isFramed else { continue }
        isFramed = true
        bytes += isLength ? field.name : Array("content-length".utf8)
        bytes += Array(": \(body.count)\r\n".utf8)
        continue
      }
      bytes += field.name + Array(": ".utf8) + ExportText(field, of: envelope).bytes
      bytes += Array("\r\n".utf8)
    }
    if !isFramed, !body.isEmpty { bytes += Array("content-length: \(body.count)\r\n".utf8) }
    return bytes + Array("\r\n".utf8) + body
  }

  private var names: [String] {
    envelope.fields.map { String(decoding: $0.name, as: UTF8.self).lowercased() }
  }
}
