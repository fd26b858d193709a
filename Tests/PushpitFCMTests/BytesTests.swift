import Testing

@testable import PushpitFCM

@Suite struct BytesTests {
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

  @Test(arguments: [
    0, 7, 10, 99, 100, 1_790_000_000_000_001, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    .max, -1, -10, .min,
  ])
  func `a number is written as text is made of it`(_ number: Int64) {
    let bytes = ByteWriter.bytes(atMost: 32) { $0.write(decimal: number) }
    #expect(String(decoding: bytes, as: UTF8.self) == String(number))
  }
}
