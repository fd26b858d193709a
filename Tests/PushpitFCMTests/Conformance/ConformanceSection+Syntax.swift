import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")
  private static let sentence = ConformanceEvidence.measured(
    "API front end, October 2026, the sentence; the excerpt is that of protobuf's parser")
  private static let source = ConformanceEvidence.assumed(
    "the sentence is one of protobuf's json_stream_parser.cc, of which the front end is a port")

  static let syntax = ConformanceSection(
    title: "JSON front end: syntax",
    rules: [
      ConformanceRule(
        "a body that breaks off before a value", #"{"message":"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a body that breaks off in an object", "{",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected end of string. Expected an object key or }.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        source),
      ConformanceRule(
        "a body that breaks off after a key", #"{"message""#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected end of string. Expected : between key:value pair.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        source),
      ConformanceRule(
        "a body that breaks off after a value", #"{"message":{}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected end of string. Expected , or } after key:value pair.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        source),
      ConformanceRule(
        "a body that breaks off in a list",
        #"{"message":{"android":{"notification":{"titleLocArgs":["#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected end of string. Expected a value or ] within an array.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        source),
      ConformanceRule(
        "a body that breaks off in a string", #"{"message":{"topic":"a}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Closing quote expected in string.\n\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a body that breaks off in an escape", #"{"message":{"topic":"\u12"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Illegal hex string.\n\\u12\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a body that is no JSON", "not json",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unexpected token.\nnot json\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        measured),
      ConformanceRule(
        "a character that begins no value",
        #"{"message":{"topic":"news","data":@{"key":"value"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected a value.\n@{\"key\":\"value\"}}}\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        .seen("another Google API with this front end")),
      ConformanceRule(
        "a character that begins no value, in a list",
        #"{"message":{"android":{"notification":{"titleLocArgs":[#]}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected a value or ] within an array.\n#]}}}}\n^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        source),
      ConformanceRule(
        "no comma between members", #"{"message":{"notification":{"title":"a" "body":"b"}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected , or } after key:value pair.\nation\":{\"title\":\"a\" \"body\":\"b\"}}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence, note: "20 bytes before and after the place"),
      ConformanceRule(
        "no colon", #"{"message" {}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected : between key:value pair.\n{\"message\" {}}\n           ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a comma in place of a key", "{,}",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected an object key or }.\n{,}\n ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "no comma between elements",
        #"{"message":{"android":{"notification":{"titleLocArgs":["a" "b"]}}}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected , or ] after array value.\n\"titleLocArgs\":[\"a\" \"b\"]}}}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "an escape without digits", #"{"message":{"topic":"\uzzzz"}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Invalid escape sequence.\n\"message\":{\"topic\":\"\\uzzzz\"}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a number with a sign inside", #"{"message":{"topic":1-2}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Unable to parse number.\n{\"message\":{\"topic\":1-2}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a number that is too large for a double", #"{"message":{"topic":1e999}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Number exceeds the range of double.\n{\"message\":{\"topic\":1e999}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "a number with a zero in front", #"{"message":{"topic":01}}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Octal/hex numbers are not valid JSON values.\n{\"message\":{\"topic\":01}}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "something after the end", "{} x",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Parsing terminated before end of input.\n{} x\n   ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        sentence),
      ConformanceRule(
        "an error of syntax after an unknown field", #"{"message":{"x":1},"a" 1}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Expected : between key:value pair.\nessage\":{\"x\":1},\"a\" 1}\n                    ^",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        measured),
      ConformanceRule(
        "an excerpt that cuts a character", #"{"message":"éééééééééééé"  1}"#,
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        measured),
      ConformanceRule(
        "101 lists and objects within each other",
        #"{"message":{"apns":{"payload":{"x":"# + String(repeating: "[", count: 97) + "1",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Message too deep. Max recursion depth reached in array",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        measured),
      ConformanceRule(
        "101 objects within each other",
        #"{"message":{"apns":{"payload":"# + String(repeating: #"{"x":"#, count: 98) + "1",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Invalid JSON payload received. Message too deep. Max recursion depth reached for key 'x'",
              "status": "INVALID_ARGUMENT"
            }
          }

          """#),
        .seen("other Google APIs with this front end")),
    ])
}
