internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// One request after routing: what its handler reads.
struct ConsoleCall {
  let request: ConsoleRequest
  /// The decoded path segments that stand for `*` in the route.
  let parameters: [String]

  /// The query, to be read parameter by parameter.
  var query: QueryReader { QueryReader(request.head.query) }

  /// The body as JSON, which must be there.
  func json() throws(ConsoleProblem) -> JSONValue {
    do {
      return try JSONReader.parse(request.body)
    } catch {
      throw .invalid([
        .init(
          .body(pointer: ""),
          "The body is not JSON: \(error.message) at line \(error.line), column \(error.column).")
      ])
    }
  }

  /// The body as JSON; nil when there is none.
  func optionalJSON() throws(ConsoleProblem) -> JSONValue? {
    request.body.isEmpty ? nil : try json()
  }

  /// Refuses a body that says something, where a call takes none.
  func noMembers() throws(ConsoleProblem) {
    guard let body = try optionalJSON() else { return }
    guard let object = body.objectValue else {
      throw .invalid([.init(.body(pointer: ""), "The body must be an empty object, or none.")])
    }
    let faults = object.members.prefix(ConsoleProblem.namedFaultLimit).map { member in
      ConsoleProblem.Fault(
        .body(pointer: JSONValue.pointer("", to: member.key)),
        "Unknown member; there is none here.")
    }
    guard faults.isEmpty else { throw .invalid(faults) }
  }

  /// The value of the only member that the body may have, in the form of a type; nil without a body or
  /// the member.
  func onlyMember<Value>(
    _ name: String, expected: String, _ read: (JSONValue) -> Value?
  ) throws(ConsoleProblem) -> Value? {
    guard let body = try optionalJSON() else { return nil }
    guard let object = body.objectValue else {
      throw .invalid([.init(.body(pointer: ""), "The body must be an object.")])
    }
    if let other = object.members.first(where: { $0.key != name }) {
      throw .invalid([
        .init(
          .body(pointer: JSONValue.pointer("", to: other.key)),
          "Unknown member; known here: \(name).")
      ])
    }
    guard let value = object[name] else { return nil }
    guard let result = read(value) else {
      throw .invalid([.init(.body(pointer: "/" + name), "Expected \(expected).")])
    }
    return result
  }

  /// `Last-Event-ID`: where a stream resumes.
  func lastEventID() throws(ConsoleProblem) -> UInt64? {
    guard let text = request.head.fields.text("last-event-id"), !text.isEmpty else { return nil }
    guard let id = UInt64(text) else {
      throw .invalid([
        .init(
          .header(name: "last-event-id"),
          "The header last-event-id must be a number, not \"\(text)\".")
      ])
    }
    return id
  }
}
