import PushpitHTTP
import Testing

@Suite struct GoAwayFrameTests {
  // The capture of a refused certificate, 2016 to 2018: `GOAWAY len=46 LastStreamID=0 NO_ERROR`.
  @Test func `the bytes are those of Apple's capture`() {
    let text = Array(#"{"reason":"BadCertificateEnvironment"}"#.utf8)
    let head: [UInt8] = [0, 0, 46, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(GoAwayFrame(lastStreamID: 0, debugData: text).bytes == head + text)
  }

  @Test func `code and last stream are four bytes each, and the reserved bit is never set`() {
    let frame = GoAwayFrame(code: 0x0102_0304, lastStreamID: 0xFFFF_FFFE)
    #expect(
      frame.bytes == [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFE, 1, 2, 3, 4])
  }
}
