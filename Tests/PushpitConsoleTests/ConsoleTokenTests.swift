import Testing

@testable import PushpitConsole

@Suite struct ConsoleTokenTests {
  @Test(arguments: ["s", "secret", "päss wörd", String(repeating: "long", count: 500)])
  func `a token is itself and nothing else`(text: String) {
    let token = ConsoleToken(text)
    let bytes = Array(text.utf8)
    #expect(token.matches(bytes))
    #expect(!token.matches([]))
    #expect(!token.matches(Array(bytes.dropLast())))
    #expect(!token.matches(Array(bytes.dropFirst())))
    #expect(!token.matches(bytes + [0]))
    #expect(!token.matches(bytes + bytes))
    for index in bytes.indices {
      var wrong = bytes
      wrong[index] ^= 1
      #expect(!token.matches(wrong))
    }
  }

  @Test func `what is longer than anything that is compared is not the token`() {
    let token = ConsoleToken("secret")
    for count in [ConsoleToken.comparedCount, ConsoleToken.comparedCount + 1, 1 << 20] {
      #expect(!token.matches(Array("secret".utf8) + [UInt8](repeating: 0, count: count - 6)))
    }
  }

  @Test func `an empty token lets nobody in`() {
    #expect(!ConsoleToken("").matches([]))
    #expect(!ConsoleToken("").matches([0]))
  }
}
