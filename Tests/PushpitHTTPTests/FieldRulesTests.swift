import Testing

@testable import PushpitHTTP

@Suite struct FieldRulesTests {
  private func with<Result>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer(body)
  }

  @Test func `token bytes are those of RFC 9110 section 5.6.2`() {
    let expected = Set(
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(FieldRules.isTokenByte(byte) == expected.contains(byte))
    }
  }

  @Test(arguments: 0..<20) func `a control character is found at every place`(_ place: Int) {
    for byte in UInt8.min...UInt8.max {
      var bytes = [UInt8](repeating: 0x80, count: 20)
      bytes[place] = byte
      let isAllowed = byte == 9 || byte >= 0x20 && byte != 0x7f
      #expect(with(bytes, FieldRules.hasNoControls) == isAllowed)
    }
  }

  @Test(arguments: [1, 7, 8, 12, 15, 16, 17, 40])
  func `a byte that no field may have is found at every place`(_ count: Int) {
    for place in 0..<count {
      for byte in UInt8.min...UInt8.max {
        var bytes = [UInt8](repeating: UInt8(ascii: "z"), count: count)
        bytes[place] = byte
        let isName = FieldRules.isTokenByte(byte) && !(0x41...0x5a ~= byte)
        let isPlainByte = byte == 9 || byte >= 0x20 && byte != 0x7f
        #expect(with(bytes, FieldRules.isLowercaseName) == isName)
        #expect(with(bytes, FieldRules.hasNoControls) == isPlainByte)
        let isHostByte = 0x21...0x7e ~= byte && !"/?#@\\<>\"".utf8.contains(byte)
        #expect(with(bytes, FieldRules.isAuthority) == isHostByte)
      }
    }
  }

  @Test func `a decimal has digits only and less than nineteen of them`() {
    #expect(FieldRules.decimal(Array("0012".utf8)) == 12)
    #expect(FieldRules.decimal(Array("999999999999999999".utf8)) == 999_999_999_999_999_999)
    for text in ["", "1000000000000000000", "1 ", "-1", "0x1", "1.0"] {
      #expect(FieldRules.decimal(Array(text.utf8)) == nil)
    }
  }
}
