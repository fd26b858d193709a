import Testing

@testable import PushpitJSON

@Suite struct JSONCursorTests {
  /// The members of an object of strings; nil where the cursor gives up.
  private static func members(_ text: String) -> [[String]]? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer -> [[String]]? in
      var cursor = JSONCursor(buffer)
      guard cursor.beginObject() else { return nil }
      var members: [[String]] = []
      while true {
        switch cursor.nextMember(isFirst: members.isEmpty) {
        case .unreadable: return nil
        case .end: return cursor.isAtEnd() ? members : nil
        case .key(let key):
          guard let value = cursor.takeString() else { return nil }
          members.append([key, value].map { String(decoding: bytes[$0], as: UTF8.self) })
        }
      }
    }
  }

  @Test(arguments: [
    ("{}", []), (" { } \n", []), (#"{"a":"b"}"#, [["a", "b"]]),
    (
      " {\t\"\" : \"\" ,\r\"Привет\":\"👋 and a text of many bytes, é\"}",
      [["", ""], ["Привет", "👋 and a text of many bytes, é"]]
    ),
  ])
  func `an object of plain strings is read in its order`(_ text: String, _ members: [[String]]) {
    #expect(Self.members(text) == members)
  }

  @Test(arguments: [
    "", "[]", #""a""#, "{", "{,}", #"{"a""#, #"{"a":}"#, #"{"a":"b""#, #"{"a":"b",}"#,
    #"{"a" "b"}"#, #"{"a":"b" "c":"d"}"#, #"{"a":"b"}x"#, #"{a:"b"}"#, #"{'a':'b'}"#, #"{"a":1}"#,
    #"{"a":"\n"}"#, "{\"a\":\"\n\"}", #"{"a":null}"#, "\u{FEFF}{}", "{\"a\":\"\u{7}\"}",
  ])
  func `anything else is given up`(_ text: String) {
    #expect(Self.members(text) == nil)
  }

  @Test(arguments: [
    [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
  ])
  func `a string of invalid UTF-8 is given up`(_ invalid: [UInt8]) {
    let bytes = Array(#""a"#.utf8) + invalid + Array(#"b""#.utf8)
    bytes.withUnsafeBufferPointer { buffer in
      var cursor = JSONCursor(buffer)
      #expect(cursor.takeString() == nil)
    }
  }
}
