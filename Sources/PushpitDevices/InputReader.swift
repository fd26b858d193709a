internal import PushpitJSON

/// Reads the members of a request's object and collects what is wrong with them.
struct InputReader {
  /// At most this many problems are reported.
  static let problemLimit = 100

  private(set) var problems: [InputProblem] = []
  private let object: JSONObject
  private let path: String

  /// Starts at an object that may have these members only.
  init(_ value: JSONValue, at path: String = "", members: Set<String>) {
    self.path = path
    guard let object = value.objectValue else {
      self.object = JSONObject()
      problems = [InputProblem(path, "expected an object")]
      return
    }
    self.object = object
    let names = members.sorted().joined(separator: ", ")
    for member in object.members where !members.contains(member.key) {
      // A body of megabytes can have a million of them; these say enough.
      guard problems.count < Self.problemLimit else { break }
      problems.append(
        InputProblem(JSONValue.pointer(path, to: member.key), "unknown member; known are \(names)"))
    }
  }

  /// Whether a member is there, `null` too.
  func has(_ key: String) -> Bool { object[key] != nil }

  /// A member that is there and not `null`.
  func value(_ key: String) -> JSONValue? {
    object[key].flatMap { $0 == .null ? nil : $0 }
  }

  mutating func string(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if value.stringValue == nil { report(key, "expected a string") }
    return value.stringValue
  }

  mutating func bool(_ key: String) -> Bool? {
    guard let value = value(key) else { return nil }
    if value.boolValue == nil { report(key, "expected true or false") }
    return value.boolValue
  }

  /// A string that is one of an enumeration's.
  mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    guard let value = value(key) else { return nil }
    if let text = value.stringValue, let choice = Choice(rawValue: text) { return choice }
    reportChoice(key, of: Choice.self)
    return nil
  }

  /// Says which strings a member may have.
  mutating func reportChoice<Choice>(_ key: String, of: Choice.Type)
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    report(key, "expected one of \(names)")
  }

  mutating func report(_ key: String, _ detail: String) {
    problems.append(InputProblem(JSONValue.pointer(path, to: key), detail))
  }

  mutating func report(_ others: [InputProblem]) {
    problems += others
  }
}
