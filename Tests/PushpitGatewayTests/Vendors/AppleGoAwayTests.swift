import PushpitAPNs
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct AppleGoAwayTests {
  // `GOAWAY len=46 LastStreamID=0 ErrCode=NO_ERROR`, captured 2016, 2017 and 2018.
  @Test func `the frame is the one that was captured`() {
    let text = Array(#"{"reason":"BadCertificateEnvironment"}"#.utf8)
    let head: [UInt8] = [0, 0, 46, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(AppleGoAway.bytes(.badCertificateEnvironment) == head + text)
  }

  // Seen at times in 2016: a second frame without debug data (golang/go issue 14627).
  @Test func `the second frame, where it is wanted, has no debug data`() {
    let one = AppleGoAway.bytes(.shutdown, lastStreamID: 7)
    let two = AppleGoAway.bytes(.shutdown, lastStreamID: 7, count: .two)
    #expect(Array(two.dropFirst(one.count)) == [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0])
    #expect(two.starts(with: one))
  }
}
