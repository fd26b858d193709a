import PushpitJSON
import Testing

@Suite struct JSONWriterTests {
  func text(_ style: JSONWriter.Style = .compact, _ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(style: style)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `a compact text has no white space`() {
    let text = text { writer in
      writer.beginObject()
      writer.member("a", "text")
      writer.member("b", 1)
      writer.member("c", true)
      writer.key("d")
      writer.beginArray()
      writer.null()
      writer.double(1.5)
      writer.int(UInt64.max)
      writer.beginObject()
      writer.endObject()
      writer.endArray()
      writer.member("e", ["x": [1]])
      writer.endObject()
    }
    #expect(
      text == #"{"a":"text","b":1,"c":true,"d":[null,1.5,18446744073709551615,{}],"e":{"x":[1]}}"#)
  }

  @Test func `an indented text is as Google prints it`() {
    let value: JSONValue = [
      "error": [
        "code": 400, "message": "M", "details": [["@type": "T", "n": []], "x"], "empty": [:],
      ]
    ]
    #expect(
      String(decoding: value.serialized(.indented), as: UTF8.self) == """
        {
          "error": {
            "code": 400,
            "message": "M",
            "details": [
              {
                "@type": "T",
                "n": []
              },
              "x"
            ],
            "empty": {}
          }
        }
        """)
  }

  @Test func `only what must be escaped is escaped`() {
    #expect(text { $0.string("\"\\\u{8}\t\n\u{C}\r") } == #""\"\\\b\t\n\f\r""#)
    #expect(text { $0.string("\u{0}\u{1}\u{1F}") } == #""\u0000\u0001\u001f""#)
    #expect(text { $0.string("a/b<>&'\u{7F}é€😀\u{2028}") } == "\"a/b<>&'\u{7F}é€😀\u{2028}\"")
  }

  @Test func `a key is escaped like a string`() {
    #expect(text { $0.value(["a\"\n": 1]) } == #"{"a\"\n":1}"#)
  }

  @Test(arguments: JSONTexts.invalidUTF8)
  func `a string of invalid bytes is written in valid UTF-8`(_ bytes: [UInt8]) throws {
    var writer = JSONWriter()
    writer.string(utf8: Array("plain ".utf8) + bytes + Array(" é".utf8))
    let text = try #require(try JSONReader.parse(writer.bytes).stringValue)
    #expect(text.hasPrefix("plain \u{FFFD}"))
    #expect(text.hasSuffix(" é"))
  }

  @Test func `bytes of a collection without contiguous storage are a string too`() {
    #expect(text { $0.string(utf8: Array("cba".utf8).reversed()) } == #""abc""#)
  }

  @Test func `a raw value takes part in the layout`() {
    let text = text(.indented) { writer in
      writer.beginArray()
      writer.raw("{}".utf8)
      writer.raw("1".utf8)
      writer.endArray()
    }
    #expect(text == "[\n  {},\n  1\n]")
  }

  @Test func `a member without a value is left out or null`() {
    let text = text { writer in
      writer.beginObject()
      writer.memberIfPresent("a", String?.none)
      writer.memberIfPresent("b", Int?.none)
      writer.memberIfPresent("c", Bool?.none)
      writer.memberIfPresent("d", JSONValue?.none)
      writer.memberIfPresent("e", "x" as String?)
      writer.memberOrNull("f", String?.none)
      writer.memberOrNull("g", 2 as Int?)
      writer.member("h", utf8: "y".utf8)
      writer.endObject()
    }
    #expect(text == #"{"e":"x","f":null,"g":2,"h":"y"}"#)
  }

  @Test func `what JSON cannot write as a number is null`() {
    #expect(text { $0.double(.infinity) } == "null")
    #expect(text { $0.double(.nan) } == "null")
  }

  @Test(arguments: JSONTexts.accepted, [JSONWriter.Style.compact, .indented])
  func `what was written is read as it was`(_ text: String, _ style: JSONWriter.Style) throws {
    let value = try JSONReader.parse(text.utf8)
    #expect(try JSONReader.parse(value.serialized(style)) == value)
  }

  @Test func `texts follow one another when the bytes are emptied`() {
    var writer = JSONWriter()
    for _ in 0..<2 {
      writer.bytes.removeAll(keepingCapacity: true)
      writer.value(["a": 1])
      #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1}"#)
    }
  }
}
