internal import PushpitJSON

/// How one kind of callback is to be sent.
struct CallbackTemplate: Sendable, Equatable {
  let method: CallbackMethod
  let url: CallbackURL
  let headers: [CallbackHeader]
  let body: CallbackBody?

  /// Reads a template at a place of a request's body; nil, with problems, when it cannot be.
  init?(_ value: JSONValue, at path: String, _ problems: inout [InputProblem]) {
    var reader = InputReader(value, at: path, members: ["method", "url", "headers", "body"])
    method = reader.choice("method") ?? .post
    let url = reader.string("url").flatMap { text in
      reader.taking("url") { () throws(CallbackFault) in try CallbackURL(text) }
    }
    if reader.value("url") == nil, value.objectValue != nil {
      reader.report("url", "expected a URL like http://127.0.0.1:8080/tokens")
    }
    headers = Self.headers(&reader, at: path)
    body = reader.value("body").flatMap { value in
      reader.taking("body") { () throws(CallbackFault) in try CallbackBody(value) }
    }
    problems += reader.problems
    guard let url, reader.problems.isEmpty else { return nil }
    self.url = url
  }

  private static func headers(_ reader: inout InputReader, at path: String) -> [CallbackHeader] {
    guard let value = reader.value("headers") else { return [] }
    guard let members = value.objectValue?.members else {
      reader.report("headers", "expected an object of strings")
      return []
    }
    guard members.count <= CallbackHeader.countLimit else {
      reader.report("headers", "has more than \(CallbackHeader.countLimit) headers")
      return []
    }
    var problems: [InputProblem] = []
    let headers = members.compactMap { member -> CallbackHeader? in
      let pointer = JSONValue.pointer(path + "/headers", to: member.key)
      guard let text = member.value.stringValue else {
        problems.append(InputProblem(pointer, "expected a string"))
        return nil
      }
      do throws(CallbackFault) {
        return try CallbackHeader(member.key, text)
      } catch {
        problems.append(InputProblem(pointer, error.detail))
        return nil
      }
    }
    reader.report(problems)
    return headers
  }

  /// Whether a placeholder stands anywhere in it.
  func mentions(_ placeholder: CallbackPlaceholder) -> Bool {
    let text = "{\(placeholder.rawValue)}"
    let bodyText = body.map { String(decoding: $0.source.serialized(), as: UTF8.self) }
    return ([url.source, bodyText ?? ""] + headers.map(\.value.source)).contains {
      $0.contains(text)
    }
  }

  /// Writes the template as it was given.
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("method", method.rawValue)
    writer.member("url", url.source)
    writer.key("headers")
    writer.beginObject()
    for header in headers { writer.member(header.name, header.value.source) }
    writer.endObject()
    writer.key("body")
    writer.value(body?.source ?? .null)
    writer.endObject()
  }

  /// The callback that it makes of values.
  /// - Throws: when a value cannot be in its place.
  func request(
    _ kind: CallbackKind, _ device: Device, _ values: CallbackValues
  ) throws(CallbackFault) -> CallbackRequest {
    var fields: [CallbackRequest.Field] = []
    for header in headers {
      fields.append(CallbackRequest.Field(name: header.name, value: try header.text(values)))
    }
    if case .json = body, !fields.contains(where: { $0.name == "content-type" }) {
      fields.append(CallbackRequest.Field(name: "content-type", value: "application/json"))
    }
    return CallbackRequest(
      device: device.id, kind: kind, method: method, isSecure: url.isSecure, host: url.host,
      port: url.port, authority: url.authority, target: url.target(values), fields: fields,
      body: try body?.bytes(values) ?? [])
  }
}

extension InputReader {
  /// What a reading gives; its fault becomes the member's problem.
  mutating func taking<Value>(
    _ key: String, _ read: () throws(CallbackFault) -> Value
  ) -> Value? {
    do throws(CallbackFault) {
      return try read()
    } catch {
      report(key, error.detail)
      return nil
    }
  }
}
