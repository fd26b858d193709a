import PushpitModel
import Testing

@Suite struct RandomSourceTests {
  @Test func `the same seed gives the same identifiers`() {
    let first = RandomSource(seed: 7)
    let second = RandomSource(seed: 7)
    #expect(first.hex(64) == second.hex(64))
    #expect(RandomSource(seed: 8).hex(64) != RandomSource(seed: 7).hex(64))
  }

  @Test(arguments: [true, false])
  func `an identifier has the shape 8-4-4-4-12 in the case asked for`(uppercase: Bool) {
    var bytes: [UInt8] = []
    RandomSource(seed: 1).uuid(into: &bytes, uppercase: uppercase)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    #expect(text == (uppercase ? text.uppercased() : text.lowercased()))
    let isHexadecimal = text.allSatisfy { $0 == "-" || $0.isHexDigit }
    #expect(isHexadecimal)
  }

  @Test func `an identifier's digits are two numbers, each from its lowest digit on`() {
    let numbers = RandomSource(seed: 3)
    let digits = [numbers.next(), numbers.next()].flatMap { number in
      (0..<16).map { String(number >> (UInt64($0) * 4) & 15, radix: 16) }
    }
    var bytes: [UInt8] = []
    RandomSource(seed: 3).uuid(into: &bytes, uppercase: false)
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "-").joined() == digits.joined())
  }

  @Test func `sixteen digits as characters are those of the text`() {
    let (first, second) = RandomSource(seed: 4).hexDigits16()
    let characters = [first, second].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) }
    }
    #expect(String(decoding: characters, as: UTF8.self) == RandomSource(seed: 4).hex(16))
  }
}
