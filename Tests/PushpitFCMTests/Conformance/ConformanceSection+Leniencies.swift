import PushpitTestSupport

@testable import PushpitFCM

extension ConformanceSection {
  private static let measured = ConformanceEvidence.measured("API front end, October 2026")

  static let leniencies = ConformanceSection(
    title: "JSON front end: what it takes",
    rules: [
      ConformanceRule("single quotes", "{'message':{'topic':'news'}}", .toTopic, measured),
      ConformanceRule("bare keys", #"{message:{topic:"news"}}"#, .toTopic, measured),
      ConformanceRule("trailing commas", #"{"message":{"topic":"news",},}"#, .toTopic, measured),
      ConformanceRule(
        "a number that ends in its point",
        #"{"message":{"topic":"news","android":{"notification":{"notificationCount":1.}}}}"#,
        .toTopic, measured),
      ConformanceRule(
        "an escape that JSON lacks", #"{"message":{"topic":"ne\ws"}}"#, .toTopic, measured),
      ConformanceRule(
        "a byte order mark", "\u{FEFF}{\"message\":{\"topic\":\"news\"}}", .toTopic, measured),
      ConformanceRule(
        "half of a surrogate pair", #"{"message":{"topic":"news","data":{"a":"\ud800"}}}"#,
        .toTopic,
        measured),
      ConformanceRule("invalid UTF-8, a space for each byte", .toTopic, measured) { fixture in
        let bytes =
          Array(#"{"message":{"topic":"news","data":{"a":"x"#.utf8) + [0xE2, 0x82]
          + Array(#""}}}"#.utf8)
        return fixture.send(bytes: bytes, bearer: try fixture.accessToken())
      },
      ConformanceRule(
        "proto names and JSON names side by side",
        #"{"message":{"topic":"news","android":{"collapse_key":"a","directBootOk":true}}}"#,
        .toTopic, .library("firebase-admin for Node mixes them")),
      ConformanceRule(
        "null in place of a target", #"{"message":{"token":null,"topic":"news"}}"#, .toTopic,
        measured),
      ConformanceRule(
        "a key twice: the last counts", #"{"message":{"topic":"a b","topic":"news"}}"#, .toTopic,
        .documented("discovery document fcm.v1, 23 October 2026")),
      ConformanceRule(
        "an enumeration's value in lower case",
        #"{"message":{"topic":"news","android":{"priority":"high"}}}"#, .toTopic, measured),
      ConformanceRule(
        "an enumeration's value with a hyphen",
        #"{"message":{"topic":"news","android":{"notification":{"notificationPriority":"priority-high"}}}}"#,
        .toTopic, measured),
      ConformanceRule(
        "an enumeration's value as a number",
        #"{"message":{"topic":"news","android":{"priority":1}}}"#, .toTopic,
        .documented("ProtoJSON format")),
      ConformanceRule(
        "an enumeration's value as a number in a string",
        #"{"message":{"topic":"news","android":{"priority":"1"}}}"#, .toTopic, measured),
      ConformanceRule(
        "a whole number in a string",
        #"{"message":{"topic":"news","android":{"notification":{"notificationCount":"3"}}}}"#,
        .toTopic, measured),
      ConformanceRule(
        "a flag as 1", #"{"message":{"topic":"news","android":{"directBootOk":1}}}"#, .toTopic,
        measured),
      ConformanceRule(
        "a flag as No", #"{"validate_only":"No","message":{"topic":"news"}}"#, .toTopic, measured),
      ConformanceRule(
        "a flag as t", #"{"validateOnly":"t","message":{"topic":"news"}}"#, .toTopic, measured),
      ConformanceRule(
        "a Content-Type with another parameter", .toTopic,
        .library("async-firebase sends `application/json; UTF-8`")
      ) { fixture in
        try fixture.request(
          "POST", "/v1/projects/demo/messages:send",
          fields: [
            "authorization": "Bearer \(fixture.accessToken())",
            "content-type": "Application/JSON; UTF-8",
          ], body: #"{"message":{"topic":"news"}}"#)
      },
    ])
}
