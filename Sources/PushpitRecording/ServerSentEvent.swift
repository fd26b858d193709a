/// Framing of server-sent events (HTML standard, section 9.2).
package enum ServerSentEvent {
  /// A comment, which keeps a quiet stream alive and which readers ignore.
  package static let heartbeat = Array(": heartbeat\n\n".utf8)

  /// One event; each line of the data becomes a `data` field.
  ///
  /// `id` is left out when nil, so that a reader's last event ID stays what it was. The name must
  /// not have a line break.
  package static func frame(id: UInt64?, event: String, data: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + event.utf8.count + 48)
    if let id { bytes.append(contentsOf: "id: \(id)\n".utf8) }
    bytes.append(contentsOf: "event: \(event)\n".utf8)
    let lines = data.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    for line in lines {
      bytes.append(contentsOf: "data: ".utf8)
      bytes.append(contentsOf: line)
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
