internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// Reads the body of `POST /expect`, and says everything that is wrong with it.
struct ExpectationReader {
  var expectation = PushExpectation(matcher: Matcher())
  private(set) var faults: [ConsoleProblem.Fault] = []

  /// Counts that can be asked for: more envelopes are not kept.
  private static let counts = 0...1_000_000

  init(_ body: JSONValue) {
    guard let object = body.objectValue else {
      report("", "The body must be an object.")
      return
    }
    if object["match"] == nil { report("/match", "The member match is missing.") }
    // What the fields of the matcher are depends on it.
    if let value = object["of"] { readSubject(value) }
    for (name, value) in object.members {
      guard faults.count < ConsoleProblem.namedFaultLimit else { return }
      let pointer = JSONValue.pointer("", to: name)
      switch name {
      case "match": readMatch(value)
      case "count": readCount(value)
      case "within": readWithin(value)
      case "of": break
      case "since": readSince(value)
      case "strict":
        guard let flag = value.boolValue else {
          report(pointer, "Expected true or false.")
          continue
        }
        expectation.isStrict = flag
      default:
        report(pointer, "Unknown member; known here: match, count, within, of, since, strict.")
      }
    }
  }

  /// Says whose envelopes are looked at; nil for all workspaces.
  mutating func setWorkspace(_ workspace: WorkspaceID?) {
    expectation.workspace = workspace
    if workspace == nil, expectation.subject.isOfSenders {
      report("/of", "The \(expectation.subject.rawValue) are those of one workspace, not of all.")
    }
  }

  private mutating func readSubject(_ value: JSONValue) {
    guard let subject = value.stringValue.flatMap({ PushExpectation.Subject(rawValue: $0) }) else {
      let names = PushExpectation.Subject.allCases.map(\.rawValue).joined(separator: ", ")
      return report("/of", "Expected one of \(names).")
    }
    expectation.subject = subject
  }

  private mutating func readMatch(_ value: JSONValue) {
    let reader = MatcherReader(value, fields: expectation.subject.fields)
    expectation.matcher = reader.matcher
    for problem in reader.problems.prefix(ConsoleProblem.namedFaultLimit) {
      report("/match" + problem.pointer, problem.detail)
    }
  }

  private mutating func readCount(_ value: JSONValue) {
    let forms = #"Expected a number, {"atLeast": n} or {"atMost": n}, n from 0 to 1000000."#
    if let count = Self.number(value) {
      expectation.count = .exactly(count)
      return
    }
    guard let object = value.objectValue, object.members.count == 1,
      let member = object.members.first, let count = Self.number(member.value)
    else { return report("/count", forms) }
    switch member.key {
    case "atLeast": expectation.count = .atLeast(count)
    case "atMost": expectation.count = .atMost(count)
    default: report("/count", forms)
    }
  }

  private static func number(_ value: JSONValue) -> Int? {
    value.wholeValue.flatMap { counts.contains($0) ? $0 : nil }
  }

  private mutating func readWithin(_ value: JSONValue) {
    let duration = value.stringValue.flatMap(DurationText.parse)
    guard let duration, duration <= PushExpectation.waitLimit else {
      let limit = DurationText.write(PushExpectation.waitLimit)
      return report(
        "/within", "Expected a duration like \(DurationText.examples), at most \(limit).")
    }
    expectation.within = duration
  }

  private mutating func readSince(_ value: JSONValue) {
    let text = value.stringValue ?? ""
    if let time = Timestamp(rfc3339: text) {
      expectation.since = time
    } else if let number = EnvelopeID.number(text) {
      expectation.after = number
    } else {
      report("/since", "Expected a time like 2026-01-15T01:30:15Z or the id of an envelope.")
    }
  }

  private mutating func report(_ pointer: String, _ detail: String) {
    faults.append(.init(.body(pointer: pointer), detail))
  }
}
