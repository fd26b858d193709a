import PushpitJSON
import Testing

@Suite struct JSONScannerTests {
  func isObject(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer(JSONReader.isObject)
  }

  func parsesAsObject(_ bytes: [UInt8]) -> Bool {
    (try? JSONReader.parse(bytes))?.objectValue != nil
  }

  @Test(arguments: JSONTexts.accepted + JSONTexts.refused)
  func `the scanner agrees with the parser on the table`(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(isObject(bytes) == parsesAsObject(bytes))
    let wrapped = Array(#"{"long enough for words":"#.utf8) + bytes + Array("}".utf8)
    #expect(isObject(wrapped) == parsesAsObject(wrapped))
  }

  @Test(arguments: JSONTexts.invalidUTF8, ["", "plain and long", "é"])
  func `the scanner refuses invalid UTF-8`(_ bytes: [UInt8], _ prefix: String) {
    #expect(!isObject(JSONTexts.quoted(bytes, after: prefix)))
    #expect(!isObject(Array("{\"\(prefix)".utf8) + bytes))
  }

  @Test func `no bytes at all are no object`() {
    #expect(!JSONReader.isObject(UnsafeBufferPointer(start: nil, count: 0)))
  }

  @Test(arguments: 0..<80)
  func `a special byte is seen at every distance from a word's start`(_ distance: Int) {
    let plain = String(repeating: "x", count: distance)
    #expect(isObject(Array("{\"a\":\"\(plain)\"}".utf8)))
    #expect(isObject(Array("{\"a\":\"\(plain)\\n\(plain)é\(plain)\"}".utf8)))
    #expect(!isObject(Array("{\"a\":\"\(plain)\u{1}\(plain)\"}".utf8)))
    #expect(!isObject(Array("{\"a\":\"\(plain)".utf8)))
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func `the scanner agrees with the parser on random mutations`(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let alphabet = Array("{}[]\",:\\u/0123456789abcdefE+-. \n\ttrue".utf8) + [0, 0x1F, 0x7F]
    for _ in 0..<2_000 {
      var bytes = Array(JSONTexts.accepted[random.below(JSONTexts.accepted.count)].utf8)
      for _ in 0...random.below(3) {
        let byte =
          random.below(4) == 0
          ? UInt8(random.below(256)) : alphabet[random.below(alphabet.count)]
        let index = random.below(bytes.count + 1)
        switch random.below(4) {
        case 0: bytes.insert(byte, at: index)
        case 1 where index < bytes.count: bytes[index] = byte
        case 2 where index < bytes.count: bytes.remove(at: index)
        default: bytes.removeSubrange(index...)
        }
      }
      #expect(isObject(bytes) == parsesAsObject(bytes), "\(bytes)")
    }
  }
}

/// A small seeded generator, so that a failing seed can be run again.
private struct SplitMix {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
