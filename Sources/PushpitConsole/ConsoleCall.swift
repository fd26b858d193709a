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
