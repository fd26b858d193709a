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
      throw ConsoleProblem(
        400, .badRequest, "The header last-event-id must be a number, not \"\(text)\".")
    }
    return id
  }
}
