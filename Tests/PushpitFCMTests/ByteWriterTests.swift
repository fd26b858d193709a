import Testing

@testable import PushpitFCM

@Suite struct ByteWriterTests {
  @Test(arguments: [
    0, 7, 10, 99, 100, 1_790_000_000_000_001, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    .max, -1, -10, .min,
  ])
  func `a number is written as text is made of it`(_ number: Int64) {
    let bytes = ByteWriter.bytes(atMost: 32) { $0.write(decimal: number) }
    #expect(String(decoding: bytes, as: UTF8.self) == String(number))
  }
}
