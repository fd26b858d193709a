import PushpitHTTPTypes

/// Reads one HTTP/1.1 answer out of a server's bytes.
struct HTTP1ResponseParser {
  /// What the next bytes were.
  enum Outcome {
    case needsMore
    case head(ResponseHead, isLast: Bool)
    case body([UInt8], isLast: Bool)
    case malformed
  }

  private enum State {
    case head
    case fixedBody(remaining: Int64)
    case bodyUntilClose
    case chunkSize
    case chunkData(remaining: Int64)
    case trailers
  }

  /// The longest head, and the longest line of anything else.
  static let headLimit = 64 * 1024

  private var state = State.head
  private var headCount = 0
  private var hasStatus = false
  private var response = ResponseHead()
  private var isVersion10 = false

  /// Whether the connection can be used again after this answer.
  var keepsAlive: Bool {
    let options = (response.fields.text("connection") ?? "").lowercased()
    return !options.contains("close") && (!isVersion10 || options.contains("keep-alive"))
  }

  /// Whether the end of the connection is the end of the body.
  var isInBodyUntilClose: Bool { if case .bodyUntilClose = state { true } else { false } }

  /// Takes what is complete from the beginning of `input`.
  mutating func advance(_ input: inout [UInt8], isHead: Bool) -> Outcome {
    while true {
      switch state {
      case .fixedBody(let remaining):
        guard let bytes = takeData(&input, remaining) else { return .needsMore }
        let isLast = Int64(bytes.count) == remaining
        state = .fixedBody(remaining: remaining - Int64(bytes.count))
        return .body(bytes, isLast: isLast)
      case .bodyUntilClose:
        guard let bytes = takeData(&input, .max) else { return .needsMore }
        return .body(bytes, isLast: false)
      case .chunkData(let remaining):
        guard let bytes = takeData(&input, remaining) else { return .needsMore }
        let left = remaining - Int64(bytes.count)
        state = left == 0 ? .chunkSize : .chunkData(remaining: left)
        return .body(bytes, isLast: false)
      case .head, .chunkSize, .trailers:
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else {
          return input.count > Self.headLimit ? .malformed : .needsMore
        }
        let line = Array(
          input[..<end].last == UInt8(ascii: "\r") ? input[..<(end - 1)] : input[..<end])
        input.removeSubrange(...end)
        if let outcome = receive(line, isHead: isHead) { return outcome }
      }
    }
  }

  private func takeData(_ input: inout [UInt8], _ limit: Int64) -> [UInt8]? {
    guard !input.isEmpty else { return nil }
    let bytes = Array(input.prefix(Int(min(limit, Int64(input.count)))))
    input.removeFirst(bytes.count)
    return bytes
  }

  private mutating func receive(_ line: [UInt8], isHead: Bool) -> Outcome? {
    switch state {
    case .chunkSize:
      // The empty line after a chunk's data comes first here.
      guard !line.isEmpty else { return nil }
      guard let size = line.withUnsafeBufferPointer({ HTTP1Framing.chunkSize($0) }) else {
        return .malformed
      }
      state = size == 0 ? .trailers : .chunkData(remaining: size)
      return nil
    case .trailers: return line.isEmpty ? .body([], isLast: true) : nil
    case .head: return receiveHeadLine(line, isHead: isHead)
    case .fixedBody, .bodyUntilClose, .chunkData: return nil
    }
  }

  private mutating func receiveHeadLine(_ line: [UInt8], isHead: Bool) -> Outcome? {
    headCount += line.count + 2
    guard headCount <= Self.headLimit else { return .malformed }
    guard hasStatus else {
      guard line.starts(with: "HTTP/1.".utf8), line.count >= 12,
        let status = FieldRules.decimal(line[9..<12])
      else { return .malformed }
      hasStatus = true
      isVersion10 = line[7] == UInt8(ascii: "0")
      response.reset(status: Int(status))
      return nil
    }
    guard line.isEmpty else {
      return line.withUnsafeBufferPointer {
        guard let (name, value) = HTTP1Framing.splitField($0) else { return .malformed }
        response.fields.append(name: name, value: value)
        return nil
      }
    }
    guard response.status >= 200 else {
      hasStatus = false
      return nil
    }
    return .head(response, isLast: !beginBody(isHead: isHead))
  }

  /// Chooses how the body is read; false when there is none.
  private mutating func beginBody(isHead: Bool) -> Bool {
    if isHead || response.status == 204 || response.status == 304 { return false }
    if response.fields.text("transfer-encoding") != nil {
      state = .chunkSize
    } else if let length = response.fields.value("content-length") {
      guard let count = FieldRules.decimal(length), count > 0 else { return false }
      state = .fixedBody(remaining: count)
    } else {
      state = .bodyUntilClose
    }
    return true
  }
}
