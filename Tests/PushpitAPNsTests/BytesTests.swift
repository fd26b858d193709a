import Testing

@testable import PushpitAPNs

@Suite struct BytesTests {
  @Test(arguments: 0...40)
  func `buffers are equal only when every byte is`(count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    #expect(bytes[...].isEqual(bytes))
    #expect(!bytes[...].isEqual(bytes + [1]))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(!bytes[...].isEqual(other))
    }
  }

  @Test(arguments: 0...40)
  func `the first of two bytes is found wherever it is`(index: Int) {
    for tail in [0, 1, 9] {
      for mark in [UInt8(ascii: "%"), UInt8(ascii: "?")] {
        // Neighbours of both in value, which a wrong zero test takes for them.
        var bytes = (0..<(index + 1 + tail)).map { [UInt8(0x24), 0x26, 0x3E, 0x40, 0xA5][$0 % 5] }
        #expect(find(bytes) == nil)
        bytes[index] = mark
        #expect(find(bytes) == index)
      }
    }
  }

  @Test func `names compare without case, and letters only`() {
    #expect(isName("apns-topic"))
    #expect(isName("APNS-Topic"))
    #expect(!isName("apns\rtopic"))
    #expect(!isName("apns-topi"))
    #expect(!isName("apns-topics"))
  }

  private func find(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer {
      firstIndex(in: $0, of: UInt8(ascii: "%"), or: UInt8(ascii: "?"))
    }
  }

  private func isName(_ name: String) -> Bool {
    Array(name.utf8).withUnsafeBufferPointer { equalIgnoringCase($0, "apns-topic") }
  }
}
