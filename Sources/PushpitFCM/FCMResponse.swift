import PushpitHTTPTypes
import PushpitJSON

/// Everything the Google side can answer.
enum FCMAnswer {
  case sent(messageName: [UInt8])
  case failed(GoogleError)
  case accessToken(AccessTokens.Grant)
  /// The answers of tokeninfo, revoke, STS and the impersonation of service accounts.
  case authorization(Int, JSONObject, JSONWriter.Style)
  /// The metadata server's text or JSON.
  case metadata(Int, type: StaticString, [UInt8])
  case identityToken(String)
  /// The answers of the API's topic subscriptions, laid out as the query wants.
  case resource(JSONObject)
  /// The answers of the Instance ID API and of device groups.
  case instanceID(Int, JSONObject)
  case unauthorizedPage
  case grantRefused(OAuthError)
  case legacyDeprecated
  case pathNotFound([UInt8])
  case bodyTooLarge
}

/// Turns answers into HTTP; the only place that does.
enum FCMResponse {
  /// Fills in head and body, which keep their memory; `style` is for the API's own answers.
  static func write(
    _ answer: FCMAnswer, _ style: JSONWriter.Style = .indented, to head: inout ResponseHead,
    body: inout [UInt8]
  ) {
    if !body.isEmpty { body.removeAll(keepingCapacity: true) }
    switch answer {
    case .sent(let name):
      writeJSON(200, style, to: &head, body: &body) { writer in
        // Without a name the answer's fields were masked: `{}`.
        if !name.isEmpty { writer.member("name", utf8: name) }
      }
    case .failed(let error):
      writeJSON(error.status.httpStatus, style, to: &head, body: &body) { writer in
        write(error, to: &writer)
      }
      GoogleEscapes.apply(to: &body)
      if let challenge = error.challenge { append(challenge, to: &head) }
      if let seconds = error.retryAfter {
        head.fields.append("retry-after", String(seconds).utf8)
      }
    case .accessToken(let token):
      writeJSON(200, .compact, to: &head, body: &body) { writer in
        writer.member("access_token", token.text)
        writer.member("expires_in", token.expiresIn)
        writer.member("token_type", "Bearer")
      }
    case .authorization(let status, let object, let style):
      writeJSON(status, style, to: &head, body: &body) { writer in
        for member in object.members { writer.member(member.key, member.value) }
      }
    case .metadata(let status, let type, let bytes):
      body.append(contentsOf: bytes)
      head.reset(status: status)
      head.fields.append(
        "content-type", UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount))
      // What clients know the server by.
      head.fields.append("metadata-flavor", "Google".utf8)
      head.fields.append("server", "Metadata Server for VM".utf8)
    case .resource(let object):
      writeJSON(200, style, to: &head, body: &body) { writer in
        for member in object.members { writer.member(member.key, member.value) }
      }
    case .instanceID(let status, let object):
      writeJSON(status, .compact, to: &head, body: &body) { writer in
        for member in object.members { writer.member(member.key, member.value) }
      }
    case .unauthorizedPage:
      writePage(401, GoogleHTMLPage.unauthorized, to: &head, body: &body)
    case .identityToken(let token):
      writeJSON(200, .compact, to: &head, body: &body) { $0.member("id_token", token) }
    case .grantRefused(let error):
      writeJSON(error.status, .compact, to: &head, body: &body) { writer in
        writer.member("error", error.code)
        writer.member("error_description", error.description)
      }
    case .legacyDeprecated:
      // The body is from reports of 2024; the status was not recorded in them, 404 is what senders
      // commonly report.
      writeJSON(404, .compact, to: &head, body: &body) { writer in
        writer.member(
          "error",
          "Deprecated endpoint, see https://firebase.google.com/docs/cloud-messaging/migrate-v1")
      }
    case .pathNotFound(let path):
      writePage(404, GoogleHTMLPage.notFound(path: path), to: &head, body: &body)
    case .bodyTooLarge:
      writePage(413, GoogleHTMLPage.bodyTooLarge, to: &head, body: &body)
    }
  }

  private static func writeJSON(
    _ status: Int, _ style: JSONWriter.Style, to head: inout ResponseHead, body: inout [UInt8],
    _ members: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter(style: style)
    // It writes into the body's own memory.
    swap(&writer.bytes, &body)
    writer.beginObject()
    members(&writer)
    writer.endObject()
    swap(&writer.bytes, &body)
    // Printed bodies end in a newline.
    if style == .indented { body.append(UInt8(ascii: "\n")) }
    head.reset(status: status)
    head.fields.append(jsonFields)
  }

  /// The fields of every JSON answer.
  private static let jsonFields = FieldList([
    "content-type": "application/json; charset=UTF-8", "vary": "Origin, X-Origin, Referer",
    "server": "ESF", "x-xss-protection": "0", "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff", "cache-control": "private",
  ])

  private static func writePage(
    _ status: Int, _ page: String, to head: inout ResponseHead, body: inout [UInt8]
  ) {
    body.append(contentsOf: page.utf8)
    head.reset(status: status)
    head.fields.append("content-type", "text/html; charset=UTF-8".utf8)
  }

  private static func write(_ error: GoogleError, to writer: inout JSONWriter) {
    writer.key("error")
    writer.beginObject()
    writer.member("code", error.status.httpStatus)
    writer.member("message", error.message)
    writer.member("status", error.status.rawValue)
    if !error.details.isEmpty {
      writer.key("details")
      writer.beginArray()
      for detail in error.details { write(detail, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  private static func write(_ detail: GoogleError.Detail, to writer: inout JSONWriter) {
    writer.beginObject()
    switch detail {
    case .errorInfo(let reason, let domain, let metadata):
      writer.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
      writer.member("reason", reason)
      writer.member("domain", domain)
      writer.key("metadata")
      writer.beginObject()
      for datum in metadata { writer.member(datum.key, datum.value) }
      writer.endObject()
    case .badRequest(let violations):
      writer.member("@type", "type.googleapis.com/google.rpc.BadRequest")
      if !violations.isEmpty { write(violations, to: &writer) }
    case .fcmError(let code):
      // SDKs find this detail by its exact type.
      writer.member("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
      writer.member("errorCode", code.rawValue)
    case .apnsError(let statusCode, let reason):
      writer.member("@type", "type.googleapis.com/google.firebase.fcm.v1.ApnsError")
      writer.member("statusCode", statusCode)
      writer.member("reason", reason)
    case .quotaFailure(let subject, let description):
      writer.member("@type", "type.googleapis.com/google.rpc.QuotaFailure")
      writer.member(
        "violations",
        [["subject": .string(subject), "description": .string(description)]])
    case .localizedMessage(let message):
      writer.member("@type", "type.googleapis.com/google.rpc.LocalizedMessage")
      writer.member("locale", "en-US")
      writer.member("message", message)
    case .help(let description, let url):
      writer.member("@type", "type.googleapis.com/google.rpc.Help")
      writer.member(
        "links", [["description": .string(description), "url": .string(url)]])
    }
    writer.endObject()
  }

  private static func write(_ violations: [FieldViolation], to writer: inout JSONWriter) {
    writer.key("fieldViolations")
    writer.beginArray()
    for violation in violations {
      writer.beginObject()
      writer.memberIfPresent("field", violation.field)
      writer.member("description", violation.description)
      writer.endObject()
    }
    writer.endArray()
  }

  /// `WWW-Authenticate` as measured at the front end in 2026.
  private static func append(_ challenge: GoogleError.Challenge, to head: inout ResponseHead) {
    let realm = "Bearer realm=\"https://accounts.google.com/\""
    switch challenge {
    case .credentialMissing: head.fields.append("www-authenticate", realm.utf8)
    case .tokenInvalid:
      head.fields.append("www-authenticate", (realm + ", error=\"invalid_token\"").utf8)
    }
  }
}
