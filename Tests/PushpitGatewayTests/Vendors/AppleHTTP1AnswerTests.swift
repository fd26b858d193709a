import PushpitHTTPTypes
import Testing

@testable import PushpitGateway

@Suite struct AppleHTTP1AnswerTests {
  // Raw curl output of 2019: a GOAWAY of 0x34 = 8 + 44 bytes.
  @Test func `the bytes are Apple's SETTINGS and GOAWAY with the request line`() {
    let head = RequestHead(method: "GET", target: "/3/device/")
    let settings: [UInt8] = [
      0, 0, 30, 4, 0, 0, 0, 0, 0,  // length, type, flags, stream
      0, 1, 0, 0, 0x10, 0, 0, 3, 0, 0, 0, 1, 0, 4, 0, 0, 0xFF, 0xFF, 0, 5, 0, 0, 0x40, 0,
      0, 6, 0, 0, 0x1F, 0x40,
    ]
    let goAway: [UInt8] = [
      0, 0, 0x34, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1,
    ]
    let text = Array("Unexpected HTTP/1.x request: GET /3/device/ ".utf8)
    #expect(text.count == 44)
    #expect(AppleHTTP1Answer.bytes(for: head) == settings + goAway + text)
  }

  @Test func `a long target has a length of three bytes`() {
    let target = "/3/device/" + String(repeating: "a", count: 70_000)
    let bytes = AppleHTTP1Answer.bytes(for: RequestHead(method: "POST", target: target))
    let count = bytes.count - 39 - 9
    #expect(Array(bytes[39..<42]) == [1, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)])
  }
}
