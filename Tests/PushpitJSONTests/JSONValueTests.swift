import PushpitJSON
import Testing

@Suite struct JSONValueTests {
  let value: JSONValue = [
    "text": "t", "yes": true, "one": 1, "half": 0.5, "list": [10, 11], "none": nil ?? .null,
  ]

  @Test func `a value is asked for by its type`() {
    #expect(value["text"]?.stringValue == "t")
    #expect(value["yes"]?.boolValue == true)
    #expect(value["one"]?.intValue == 1)
    #expect(value["half"]?.doubleValue == 0.5)
    #expect(value["list"]?.arrayValue == [10, 11])
    #expect(value.objectValue?.members.count == 6)
    #expect(value["none"] == .null)
  }

  @Test func `a value of another type is nil`() {
    #expect(value["one"]?.stringValue == nil)
    #expect(value["text"]?.intValue == nil)
    #expect(value["text"]?.doubleValue == nil)
    #expect(value["text"]?.boolValue == nil)
    #expect(value["text"]?.arrayValue == nil)
    #expect(value["text"]?.objectValue == nil)
    #expect(value["half"]?.intValue == nil)
  }

  @Test func `a key or index that is not there is nil`() {
    #expect(value["nothing"] == nil)
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["text"]?[0] == nil)
    #expect(value["list"]?["0"] == nil)
  }

  @Test func `setting replaces the last member of a key, appends, or removes all`() {
    var object = JSONObject(["a": 1, "b": 2, "a": 3])
    object["a"] = 4
    object["c"] = 5
    #expect(object == JSONObject(["a": 1, "b": 2, "a": 4, "c": 5]))
    object["a"] = nil
    #expect(object == JSONObject(["b": 2, "c": 5]))
  }

  @Test func `keys are compared by code units, as RFC 8259 section 8.3 has it`() {
    let object = JSONObject(["\u{E9}": 1])
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == nil)
  }

  @Test func `objects with another order are not equal`() {
    #expect(JSONObject(["a": 1, "b": 2]) != JSONObject(["b": 2, "a": 1]))
  }

  @Test func `a number has the values it can have`() throws {
    #expect(JSONNumber(Int64.min).int64 == .min)
    #expect(JSONNumber(UInt64.max).int64 == nil)
    #expect(JSONNumber(1.0)?.text == "1.0")
    #expect(JSONNumber(Double.infinity) == nil)
    let numbers = try #require(try JSONReader.parse("[1e400,1e2,1.0]".utf8).arrayValue)
    #expect(numbers.map(\.doubleValue) == [nil, 100, 1])
    #expect(numbers.map(\.intValue) == [nil, nil, nil])
  }

  static let document = #"""
    {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}
    """#

  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
    ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func `the examples of RFC 6901 section 5`(_ pointer: String, _ expected: String) throws {
    let document = try JSONReader.parse(Self.document.utf8)
    #expect(document.pointer(pointer)?.serialized() == Array(expected.utf8))
    #expect(document.pointer("") == document)
  }

  @Test(arguments: [
    "foo", "/bar", "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/-1", "/foo/+1", "/foo/",
    "/foo/0/x",
    "/foo/99999999999999999999", "/m~", "/m~2n", "/m~~0n",
  ])
  func `a pointer to nothing gives nil`(_ pointer: String) throws {
    #expect(try JSONReader.parse(Self.document.utf8).pointer(pointer) == nil)
  }

  @Test func `an escaped tilde before a one is no slash, by RFC 6901 section 4`() {
    let value: JSONValue = ["~1": 1, "/": 2]
    #expect(value.pointer("/~01") == 1)
    #expect(value.pointer("/~1") == 2)
  }
}
