import Testing

@testable import PushpitRecording

@Suite struct ServerSentEventTests {
  @Test func `an event is framed line by line`() {
    let bytes = ServerSentEvent.frame(id: 7, event: "envelope", data: Array("{}\n1".utf8))
    #expect(
      String(decoding: bytes, as: UTF8.self) == "id: 7\nevent: envelope\ndata: {}\ndata: 1\n\n")
  }

  @Test func `an event without id leaves the reader's last id as it was`() {
    let bytes = ServerSentEvent.frame(id: nil, event: "notice", data: Array("{}".utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == "event: notice\ndata: {}\n\n")
  }
}
