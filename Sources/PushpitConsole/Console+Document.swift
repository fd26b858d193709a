internal import CConsoleDocuments
internal import PushpitHTTPTypes

extension Console {
  /// The OpenAPI document of the console, as it is served.
  static var openAPI: [UInt8] {
    let document = c_console_openapi()
    return Array(UnsafeBufferPointer(start: document.bytes, count: document.count))
  }

  /// `GET /openapi.json`.
  func showDocument(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    // The parameter, which every call takes, says nothing here.
    _ = try workspace(&query, allowsAll: true)
    try query.finish()
    return .response(
      Response(fields: FieldList(["content-type": "application/json"]), body: Self.openAPI))
  }
}
