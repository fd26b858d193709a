import PushpitHTTP
import PushpitJSON

/// The events of a stream, read one by one; heartbeats are left out.
final class EventFeed {
  private let client: HTTPClient
  private var pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator
  private var text = ""
  private var events: [Event] = []
  private var taken = 0

  /// One event as a test reads it.
  struct Event {
    var name = ""
    var id = ""
    var data = JSONValue.null
  }

  init(_ response: StreamingResponse, client: HTTPClient) {
    self.client = client
    pieces = response.pieces.makeAsyncIterator()
  }

  /// The next event; nil when the stream has ended.
  func next(isolation: isolated (any Actor)? = #isolation) async throws -> Event? {
    while taken == events.count {
      guard let piece = try await pieces.next(isolation: isolation) else { return nil }
      text += String(decoding: piece, as: UTF8.self)
      let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: false)
      text = String(blocks.last ?? "")
      events += blocks.dropLast().compactMap(Self.event)
    }
    taken += 1
    return events[taken - 1]
  }

  private static func event(_ block: Substring) -> Event? {
    var event = Event()
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      let value = parts.count > 1 ? String(parts[1]) : ""
      switch parts.first {
      case "event": event.name = value
      case "id": event.id = value
      case "data": event.data = (try? JSONReader.parse(Array(value.utf8))) ?? .null
      default: break
      }
    }
    return event.name.isEmpty ? nil : event
  }

  /// The next so many pushes.
  func pushes(_ count: Int) async throws -> [Event] {
    var pushes: [Event] = []
    while pushes.count < count, let event = try await next() {
      if event.name == "push" { pushes.append(event) }
    }
    return pushes
  }

  /// The titles of the next so many pushes.
  func titles(_ count: Int) async throws -> [String] {
    try await pushes(count).map { $0.data["title"]?.stringValue ?? "" }
  }

  func close() async {
    await client.close()
  }
}
