import PushpitJSON
import Testing

@testable import PushpitModel

/// A subject of a test: fields by name, and a payload.
private struct Subject: MatchSubject {
  var fields: [String: MatchValue] = [:]
  var payload: JSONValue = .null

  func value(of field: String) -> MatchValue { fields[field] ?? .one(nil) }
  func payloadValue(at pointer: String) -> JSONValue? { payload.pointer(pointer) }
}

@Suite struct MatcherTests {
  private static let fields = ["service", "token", "status", "warning", "reason"]

  private func reader(_ text: String) throws -> MatcherReader {
    MatcherReader(try JSONReader.parse(text.utf8), fields: Self.fields)
  }

  private func holds(_ condition: String, for value: MatchValue) throws -> Bool {
    let reader = try reader(#"{"status":\#(condition)}"#)
    #expect(reader.problems.isEmpty)
    return reader.matcher.matches(Subject(fields: ["status": value]))
  }

  @Test(arguments: [
    (#""abc""#, #""abc""#, true), (#""abc""#, #""ABC""#, false), ("1", "1.0", true),
    ("1e2", "100", true), ("1", #""1""#, false), ("null", "null", true),
    (#"{"a":1,"b":2}"#, #"{"b":2.0,"a":1}"#, true), ("[1,2]", "[1,2]", true),
    ("[1,2]", "[2,1]", false), ("9007199254740993", "9007199254740992", false),
    (#"{"contains":"bc"}"#, #""abcd""#, true), (#"{"contains":""}"#, #""a""#, true),
    (#"{"contains":2}"#, "[1,2]", true), (#"{"contains":"b"}"#, #"["abc"]"#, false),
    (#"{"contains":"aab"}"#, #""aaaab""#, true), (#"{"contains":"abab"}"#, #""abaab""#, false),
    (#"{"glob":"a*"}"#, #""abc""#, true), (#"{"startsWith":"ab"}"#, #""abc""#, true),
    (#"{"endsWith":"bc"}"#, #""abc""#, true), (#"{"endsWith":"abcd"}"#, #""abc""#, false),
    (#"{"greaterThan":399}"#, "400", true), (#"{"lessThan":400}"#, "400", false),
    (#"{"greaterThan":1,"lessThan":3}"#, "2", true),
    (#"{"greaterThan":1,"lessThan":3}"#, "3", false),
    (#"{"oneOf":[200,"x"]}"#, "200", true), (#"{"oneOf":[201]}"#, "200", false),
    (#"{"not":200}"#, "400", true), (#"{"not":{"not":200}}"#, "200", true),
    (#"{"exists":true}"#, "null", false), (#"{"exists":false}"#, "null", true),
    (#"{"startsWith":"a"}"#, "1", false), (#"{"greaterThan":1}"#, #""2""#, false),
  ])
  func `a condition holds for a value, or does not`(
    condition: String, value: String, isSo: Bool
  ) throws {
    #expect(try holds(condition, for: .one(JSONReader.parse(value.utf8))) == isSo)
  }

  @Test(arguments: [
    (#""a""#, true), (#""c""#, false), (#"{"not":"a"}"#, false), (#"{"not":"c"}"#, true),
    (#"{"exists":true}"#, true), (#"{"startsWith":"b"}"#, true),
    (#"{"startsWith":"a","endsWith":"b"}"#, true),
  ])
  func `of several values one is enough`(condition: String, isSo: Bool) throws {
    #expect(try holds(condition, for: .any([.string("a"), .string("b")])) == isSo)
  }

  @Test func `of no values none holds but what denies`() throws {
    #expect(try !holds(#""a""#, for: .any([])))
    #expect(try holds(#"{"exists":false}"#, for: .any([])))
    #expect(try holds(#"{"not":"a"}"#, for: .any([])))
  }

  @Test(arguments: [
    #""ABcd""#, #"{"glob":"*BC*"}"#, #"{"startsWith":"AB"}"#, #"{"endsWith":"CD"}"#,
    #"{"contains":"BC"}"#, #"{"oneOf":["ABCD"]}"#, #"{"not":"x"}"#,
  ])
  func `device tokens compare without case`(condition: String) throws {
    #expect(try holds(condition, for: .caseless("abCD")))
  }

  @Test func `all fields must hold, and those that do not are told`() throws {
    let matcher = try reader(
      #"{"service":"apns","/aps/alert/title":{"contains":"Hi"},"/a~1b":1}"#
    ).matcher
    var subject = Subject(fields: ["service": .text("apns")])
    subject.payload = ["aps": ["alert": ["title": "Hi there"]], "a/b": 1]
    #expect(matcher.matches(subject) && matcher.differences(subject).isEmpty)
    subject.payload = ["aps": ["alert": ["title": "Bye"]]]
    #expect(!matcher.matches(subject))
    #expect(
      matcher.differences(subject) == [
        .init(field: "/aps/alert/title", expected: ["contains": "Hi"], found: "Bye"),
        .init(field: "/a~1b", expected: 1, found: .null),
      ])
  }

  @Test(arguments: [
    ("[]", "", "Expected an object of fields and conditions."),
    (#"{"tokn":1}"#, "/tokn", "Unknown field; the nearest is token."),
    (#"{"status":{"greaterThan":"1"}}"#, "/status/greaterThan", "Expected a number."),
    (#"{"status":{"glob":1}}"#, "/status/glob", "Expected a text."),
    (#"{"status":{"exists":1}}"#, "/status/exists", "Expected true or false."),
    (#"{"status":{"oneOf":[]}}"#, "/status/oneOf", "Expected a list of 1 to 100 values."),
  ])
  func `what is wrong is named`(text: String, pointer: String, detail: String) throws {
    #expect(try reader(text).problems == [.init(pointer: pointer, detail: detail)])
  }

  @Test func `an operator beside an unknown one is a mistake, an object without any a value`()
    throws
  {
    let problems = try reader(#"{"status":{"glob":"a","globb":"b"}}"#).problems
    #expect(problems.map(\.pointer) == ["/status/globb"])
    #expect(try reader(#"{"status":{"globb":"b"}}"#).problems.isEmpty)
  }

  @Test func `there are limits`() throws {
    let many = (0...MatcherReader.fieldLimit).map { #""/f\#($0)":1"# }.joined(separator: ",")
    #expect(try reader("{\(many)}").problems.count == 1)
    let long = String(repeating: "x", count: MatcherReader.textLimit + 1)
    #expect(
      try reader(#"{"status":"\#(long)","service":{"startsWith":"\#(long)"}}"#).problems.count == 2)
    let pattern = String(repeating: "x", count: GlobPattern.lengthLimit + 1)
    #expect(try reader(#"{"status":{"glob":"\#(pattern)"}}"#).problems.count == 1)
    let values = (0...MatcherReader.valueLimit).map(String.init).joined(separator: ",")
    #expect(try reader(#"{"status":{"oneOf":[\#(values)]}}"#).problems.count == 1)
    let depth = MatcherReader.depthLimit + 1
    let deep =
      String(repeating: #"{"not":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    #expect(try reader(#"{"status":\#(deep)}"#).problems.count == 1)
  }
}
