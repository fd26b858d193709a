internal import PushpitHTTPTypes
internal import PushpitJSON

/// Why a request to the console was not done, as problem details (RFC 9457).
package struct ConsoleProblem: Error, Equatable {
  /// The kinds of problems; `type` is `urn:pushpit:` and the code.
  package enum Code: String, Sendable, CaseIterable {
    case badRequest = "bad-request"
    case bodyTooLong = "body-too-long"
    case conflict
    case expectationFailed = "expectation-failed"
    case foreignOrigin = "foreign-origin"
    case hostNotAllowed = "host-not-allowed"
    case methodNotAllowed = "method-not-allowed"
    case notFound = "not-found"
    case notJSON = "not-json"
    case notReady = "not-ready"
    case tooMany = "too-many"
    case unauthorized
    case unknownWorkspace = "unknown-workspace"
    case vendorPath = "vendor-path-on-console-port"
  }

  /// What is wrong with one value of the request.
  package struct Fault: Sendable, Equatable {
    /// Where it is: a JSON Pointer into the body, or the name of a query parameter or of a header.
    package enum Place: Sendable, Equatable {
      case body(pointer: String)
      case query(parameter: String)
      case header(name: String)
    }

    package let place: Place
    package let detail: String
    /// The code of a mistake that has a name.
    package let code: String?

    package init(_ place: Place, _ detail: String, code: String? = nil) {
      self.place = place
      self.detail = detail
      self.code = code
    }
  }

  package let status: Int
  package let code: Code
  /// A sentence.
  package let detail: String
  /// What is wrong, each for itself; the answer names the first of them.
  package var faults: [Fault] = []
  /// The methods that the path knows, for 405.
  package var allowed: [String] = []

  package init(_ status: Int, _ code: Code, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// Values of the request are wrong; each is named.
  package static func invalid(_ faults: [Fault]) -> ConsoleProblem {
    let first = faults.first?.detail ?? "The request is not valid."
    let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
    var problem = ConsoleProblem(400, .badRequest, first + more)
    problem.faults = faults
    return problem
  }

  /// An answer names at most this many faults: a body of 8 MiB can have a million.
  package static let namedFaultLimit = 100

  static let unauthorized = ConsoleProblem(
    401, .unauthorized, "Send the console token as authorization: Bearer TOKEN.")

  /// The whole answer but the fields that every answer has.
  var response: Response {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writeMembers(into: &writer)
    if !faults.isEmpty {
      writer.key("errors")
      writer.beginArray()
      for fault in faults.prefix(Self.namedFaultLimit) { fault.write(into: &writer) }
      writer.endArray()
    }
    writer.endObject()
    var response = Response(
      status: status, fields: FieldList(["content-type": "application/problem+json"]),
      body: writer.bytes)
    if !allowed.isEmpty {
      response.head.fields.append("allow", allowed.joined(separator: ", "))
    }
    if code == .unauthorized {
      response.head.fields.append("www-authenticate", #"Bearer realm="pushpit""#)
    }
    return response
  }

  /// Writes what every problem has, as members of the innermost object.
  func writeMembers(into writer: inout JSONWriter) {
    writer.member("type", "urn:pushpit:\(code.rawValue)")
    writer.member("code", code.rawValue)
    writer.member("title", title)
    writer.member("status", status)
    writer.member("detail", detail)
  }

  private var title: String {
    switch code {
    case .badRequest: "The request is not valid"
    case .bodyTooLong: "The body is too long"
    case .conflict: "The request conflicts with what is there"
    case .expectationFailed: "The expectation was not met"
    case .foreignOrigin: "Other pages may not use the console"
    case .hostNotAllowed: "The console does not answer to this host"
    case .methodNotAllowed: "The path has no such method"
    case .notFound: "There is no such thing"
    case .notJSON: "The body is not JSON"
    case .notReady: "The gateway is not ready"
    case .tooMany: "There are too many"
    case .unauthorized: "The console token is missing or wrong"
    case .unknownWorkspace: "There is no such workspace"
    case .vendorPath: "Pushes go to the gateway port"
    }
  }
}

extension ConsoleProblem.Fault {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.beginObject()
    switch place {
    case .body(let pointer): writer.member("pointer", pointer)
    case .query(let parameter): writer.member("parameter", parameter)
    case .header(let name): writer.member("header", name)
    }
    writer.member("detail", detail)
    writer.memberIfPresent("code", code)
    writer.endObject()
  }
}
