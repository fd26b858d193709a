import PushpitJSON
import Testing

@testable import PushpitClient

@Suite struct ConsoleEventsTests {
  /// The events of a body that comes in pieces of this many bytes.
  private func events(_ text: String, pieceCount: Int) async throws -> [ConsoleEvent] {
    let bytes = Array(text.utf8)
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for start in stride(from: 0, to: bytes.count, by: pieceCount) {
        continuation.yield(Array(bytes[start..<min(start + pieceCount, bytes.count)]))
      }
      continuation.finish()
    }
    var events: [ConsoleEvent] = []
    for try await event in ConsoleEvents(pieces: pieces) { events.append(event) }
    return events
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `events are the same in whatever pieces they come`(pieceCount: Int) async throws {
    let all = try await events(
      "id: 1\nevent: push\ndata: {\"title\":\"grün\"}\n\n:\n\nid: 2\nevent: uninstalled\n"
        + "data: {\"a\":\ndata: 1}\n\ndata:{}\n\n", pieceCount: pieceCount)
    #expect(all.map(\.id) == ["1", "2", nil])
    #expect(all.map(\.kind) == ["push", "uninstalled", "message"])
    #expect(all.map(\.data) == [["title": "grün"], ["a": 1], [:]])
  }

  @Test func `comments, events without JSON and an unfinished one are passed over`() async throws {
    let all = try await events(
      ": hello\n\nevent: x\n\nevent: y\ndata: no json\n\nevent: z\ndata: 1\n\nevent: end\ndata: 2\n",
      pieceCount: 5)
    #expect(all.map(\.kind) == ["z"])
  }

  @Test func `lines may end in CR LF, as the HTML standard allows`() async throws {
    let all = try await events(
      "event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n", pieceCount: 4)
    #expect(all.map(\.kind) == ["a", "b"])
  }
}
