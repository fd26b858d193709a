import Testing

@testable import pushpit

@Suite struct KeyDecoderTests {
  private func keys(_ pieces: [UInt8]...) -> [KeyDecoder.Key] {
    var decoder = KeyDecoder()
    return pieces.flatMap { decoder.keys($0) }
  }

  @Test func `letters and control keys are told apart`() {
    #expect(
      keys(Array("t?\r\n\u{7F}\u{8}\u{15}\u{4}".utf8)) == [
        .character("t"), .character("?"), .enter, .enter, .backspace, .backspace, .clear, .end,
      ])
  }

  @Test func `a character may come in pieces`() {
    let bytes = Array("ч你👋".utf8)
    #expect(
      bytes.indices.dropFirst().allSatisfy { cut in
        keys(Array(bytes[..<cut]), Array(bytes[cut...]))
          == [.character("ч"), .character("你"), .character("👋")]
      })
  }

  @Test(arguments: ["\u{1B}[A", "\u{1B}OP", "\u{1B}[15~", "\u{1B}[1;5C", "\u{1B}[", "\u{1}"])
  func `keys that mean nothing here are passed over`(sequence: String) {
    #expect(keys(Array(sequence.utf8), Array("q".utf8)) == [.character("q")])
  }

  @Test func `escape alone is a key`() {
    #expect(keys([0x1B]) == [.escape])
    #expect(keys(Array("\u{1B}q".utf8)) == [.escape, .character("q")])
  }

  @Test func `bytes that are no UTF-8 are passed over`() {
    #expect(keys([0xFF, 0x80, 0xC0, 0x71]) == [.character("q")])
    #expect(keys([0xE4, 0x41, 0x42, 0x71]).last == .character("q"))
  }

  @Test func `every key has a letter of its own and a line in the help`() {
    #expect(Set(DeviceKey.allCases.map(\.rawValue)).count == DeviceKey.allCases.count)
    #expect(DeviceKey.helpLines.count == DeviceKey.allCases.count)
    #expect(DeviceCommand.help.hasSuffix("  q  quit"))
  }
}
