internal import PushpitHTTPTypes

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The gateway's log: one line an event on standard error, gathered and written in pieces.
///
/// `level subsystem message key=value ...`, or the same as a JSON object. Never bodies or keys; tokens
/// are shortened to 8 characters by those who log them.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and what writes the bytes elsewhere does not log.
package final class Log {
  /// A line's worth of bytes is written at the latest when so many are gathered.
  package static let gatherLimit = 16 * 1024
  /// So many first characters of a token are logged: enough to recognise it, too few to use it.
  package static let shortTokenCount = 8

  package let level: GatewayConfiguration.LogLevel
  private let format: GatewayConfiguration.LogFormat
  private let write: ([UInt8]) -> Void
  @exclusivity(unchecked) private var gathered: [UInt8] = []

  /// Writes to standard error unless told otherwise.
  package init(
    level: GatewayConfiguration.LogLevel, format: GatewayConfiguration.LogFormat = .text,
    write: @escaping ([UInt8]) -> Void = Log.writeToStandardError
  ) {
    self.level = level
    self.format = format
    self.write = write
  }

  /// Whether lines of a level are wanted; ask before building a costly line.
  package func wants(_ level: GatewayConfiguration.LogLevel) -> Bool {
    level.rawValue <= self.level.rawValue
  }

  /// Adds one line; fields without a value are left out.
  package func line(
    _ level: GatewayConfiguration.LogLevel, _ subsystem: StaticString, _ message: StaticString,
    _ fields: KeyValuePairs<StaticString, LogValue> = [:]
  ) {
    guard wants(level) else { return }
    switch format {
    case .text: appendText(level, subsystem, message, fields)
    case .json: appendJSON(level, subsystem, message, fields)
    }
    if gathered.count >= Self.gatherLimit { flush() }
  }

  /// Adds the line of an accepted push, which is most lines: no list of fields is made for it.
  package func accepted(
    _ subsystem: StaticString, id: Span<UInt8>, token: Span<UInt8>
  ) {
    guard wants(.info) else { return }
    guard format == .text, LogValue.isPlain(id), LogValue.isPlain(token) else {
      return line(.info, subsystem, "accepted", ["id": .bytes(id), "token": .bytes(token)])
    }
    let room = subsystem.utf8CodeUnitCount + id.count + token.count + 64
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
      var line = LogLine(memory)
      line.append("info ")
      line.append(subsystem)
      line.append(" accepted id=")
      line.append(id)
      line.append(" token=")
      line.append(token)
      line.append("\n")
      gathered.append(copying: line.bytes)
    }
    if gathered.count >= Self.gatherLimit { flush() }
  }

  /// Whether something waits to be written.
  package var hasGathered: Bool { !gathered.isEmpty }

  /// Writes what was gathered.
  package func flush() {
    guard !gathered.isEmpty else { return }
    write(gathered)
    gathered.removeAll(keepingCapacity: true)
  }

  /// Writes bytes to standard error; what cannot be written there can be told nowhere.
  package static func writeToStandardError(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = unistdWrite(bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        guard count > 0 else { return }
        offset += count
      }
    }
  }

  private func appendText(
    _ level: GatewayConfiguration.LogLevel, _ subsystem: StaticString, _ message: StaticString,
    _ fields: KeyValuePairs<StaticString, LogValue>
  ) {
    append(level.name)
    gathered.append(UInt8(ascii: " "))
    append(subsystem)
    gathered.append(UInt8(ascii: " "))
    append(message)
    for (name, value) in fields where !value.isEmpty {
      gathered.append(UInt8(ascii: " "))
      append(name)
      gathered.append(UInt8(ascii: "="))
      value.append(to: &gathered, quoted: .whenNeeded)
    }
    gathered.append(UInt8(ascii: "\n"))
  }

  private func appendJSON(
    _ level: GatewayConfiguration.LogLevel, _ subsystem: StaticString, _ message: StaticString,
    _ fields: KeyValuePairs<StaticString, LogValue>
  ) {
    gathered.append(contentsOf: Array(#"{"level":""#.utf8))
    append(level.name)
    gathered.append(contentsOf: Array(#"","subsystem":""#.utf8))
    append(subsystem)
    gathered.append(contentsOf: Array(#"","message":""#.utf8))
    append(message)
    gathered.append(UInt8(ascii: "\""))
    for (name, value) in fields where !value.isEmpty {
      gathered.append(contentsOf: Array(",\"".utf8))
      append(name)
      gathered.append(contentsOf: Array("\":".utf8))
      value.append(to: &gathered, quoted: .always)
    }
    gathered.append(contentsOf: Array("}\n".utf8))
  }

  private func append(_ text: StaticString) {
    gathered.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension GatewayConfiguration.LogLevel {
  fileprivate var name: StaticString {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }
}

private func unistdWrite(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(STDERR_FILENO, bytes, count)
}
