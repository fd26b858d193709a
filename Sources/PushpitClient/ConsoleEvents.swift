package import PushpitJSON

/// A server-sent event of the console.
package struct ConsoleEvent: Sendable {
  package let id: String?
  /// `envelope`, `push` ...
  package let kind: String
  package let data: JSONValue

  package init(id: String?, kind: String, data: JSONValue) {
    self.id = id
    self.kind = kind
    self.data = data
  }
}

/// The events of one stream, cut from a body that comes piece by piece.
///
/// Read by the rules of the HTML standard, section 9.2; comments and events without JSON are passed
/// over.
package struct ConsoleEvents: AsyncSequence {
  private let pieces: AsyncThrowingStream<[UInt8], any Error>

  package init(pieces: AsyncThrowingStream<[UInt8], any Error>) {
    self.pieces = pieces
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(pieces: pieces.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    private var pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator
    private var bytes: [UInt8] = []
    private var searched = 0

    fileprivate init(pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator) {
      self.pieces = pieces
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
      -> ConsoleEvent?
    {
      while true {
        if let event = takeEvent() { return event }
        guard let piece = try await pieces.next(isolation: actor) else { return nil }
        // Lines may end in CR LF; the console's JSON has no CR of its own.
        bytes += piece.filter { $0 != UInt8(ascii: "\r") }
      }
    }

    /// Takes the next whole event from what has come.
    private mutating func takeEvent() -> ConsoleEvent? {
      let newline = UInt8(ascii: "\n")
      while searched + 1 < bytes.count {
        guard bytes[searched] == newline, bytes[searched + 1] == newline else {
          searched += 1
          continue
        }
        let event = Self.event(bytes[..<searched])
        bytes.removeFirst(searched + 2)
        searched = 0
        if let event { return event }
      }
      return nil
    }

    private static func event(_ block: ArraySlice<UInt8>) -> ConsoleEvent? {
      var id: String?
      var kind = "message"
      var data: [UInt8] = []
      for line in block.split(separator: UInt8(ascii: "\n")) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "id": id = String(decoding: value, as: UTF8.self)
        case "event": kind = String(decoding: value, as: UTF8.self)
        case "data": data += value
        default: break
        }
      }
      guard let value = try? JSONReader.parse(data, depthLimit: JSONReader.recordDepthLimit)
      else { return nil }
      return ConsoleEvent(id: id, kind: kind, data: value)
    }
  }
}
