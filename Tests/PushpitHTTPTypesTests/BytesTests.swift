import PushpitHTTPTypes
import Testing

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

  @Test func `bytes are equal when all are, whatever their number`() {
    for count in 0..<100 {
      let bytes = (0..<count).map { UInt8($0) }
      bytes.withUnsafeBufferPointer { one in
        #expect(Array(one).withUnsafeBufferPointer { one.hasBytes(of: $0) })
        #expect(!(Array(one) + [0]).withUnsafeBufferPointer { one.hasBytes(of: $0) })
        for place in 0..<count {
          var other = bytes
          other[place] ^= 0x80
          #expect(!other.withUnsafeBufferPointer { one.hasBytes(of: $0) })
        }
      }
    }
  }

  @Test func `a byte is found where it comes first, wherever the search begins`() {
    let line = UInt8(ascii: "\n")
    // Neighbours of the byte that arithmetic on words could take for it.
    let others: [UInt8] = [0x0B, 0x09, 0x8A, 0x00, 0xFF, 0x0D]
    for count in 0..<80 {
      for place in 0...count {
        var bytes = (0..<count).map { others[$0 % others.count] }
        bytes.insert(line, at: place)
        bytes.append(line)
        bytes.withUnsafeBufferPointer { bytes in
          #expect(bytes.firstIndex(of: line, from: 0) == place)
          #expect(bytes.firstIndex(of: line, from: place + 1) == count + 1)
          #expect(bytes.firstIndex(of: line, from: count + 2) == nil)
          #expect(bytes.firstIndex(of: 0x20, from: 0) == nil)
        }
      }
    }
  }

  @Test(arguments: [
    ("com.example", true, true), ("com.exam", true, false), ("example", false, true),
    ("com.example.com.example", true, true), ("co", false, false), ("", false, false),
  ])
  func `beginnings and ends are compared whole`(
    _ text: String, _ begins: Bool, _ ends: Bool
  ) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      #expect(bytes.begins(with: "com.exam") == begins)
      #expect(bytes.ends(with: "example") == ends)
      #expect(bytes.begins(with: "") && bytes.ends(with: ""))
    }
  }

  private func find(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer {
      $0.firstIndex(of: UInt8(ascii: "%"), or: UInt8(ascii: "?"))
    }
  }

  private func isName(_ name: String) -> Bool {
    Array(name.utf8).withUnsafeBufferPointer { $0.isEqualIgnoringCase("apns-topic") }
  }
}
