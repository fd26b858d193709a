import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// Paths and bodies.
extension FCMDiagnoses {
  static let bodyTooLarge = Diagnosis(
    .bodyTooLarge, what: "the body is longer than the gateway takes",
    fix: "send at most 4096 bytes a message, each in a request of its own")

  static let legacyEndpoint = Diagnosis(
    .legacyEndpoint, what: "the legacy endpoint /fcm/send was shut down in July 2024",
    fix: "send to POST /v1/projects/{project}/messages:send with an access token")

  static func pathOfNoEndpoint(_ head: RequestHead) -> Diagnosis {
    let method = String(decoding: head.method, as: UTF8.self)
    let path = clipped(String(decoding: head.path, as: UTF8.self))
    if let diagnosis = unservedEndpoint(path) { return diagnosis }
    let nearest = NearestEndpoint.find(method: method, path: head.path)
    let what =
      if nearest.distance > 0 {
        "there is no endpoint at \(clipped(method)) \(path)"
      } else if nearest.methods.contains(method) {
        "the request \(method) \(path) has no endpoint at this host"
      } else {
        "the endpoint at \(path) takes \(nearest.methods.joined(separator: " and ")), and not "
          + clipped(method)
      }
    return Diagnosis(
      .pathOfNoEndpoint, what: what,
      fix:
        "send to the nearest endpoint, \(nearest.method(insteadOf: method)) \(nearest.path); keep "
        + "the token, only a 404 with the error code UNREGISTERED is about it")
  }

  /// Endpoints that Google has or had, and the gateway has not.
  private static func unservedEndpoint(_ path: String) -> Diagnosis? {
    if path == "/batch" {
      return Diagnosis(
        .pathOfNoEndpoint, what: "the batch endpoint of FCM was shut down in June 2024",
        fix: "send each message in a request of its own to POST \(NearestEndpoint.send); newer "
          + "versions of the SDKs do (sendEach in place of sendAll)")
    }
    return nil
  }

  static func bodyNotJSON(_ error: LenientJSONError) -> Diagnosis {
    Diagnosis(
      .bodyNotJSON, what: "the body is no JSON: \(clause(error.description))",
      fix: "send a JSON object with the key message")
  }

  /// Fields of the body that do not fit.
  static func fieldsInvalid(_ violations: [FieldViolation]) -> Diagnosis {
    fieldsInvalid(
      violations, in: "body",
      fix: "make values of data strings, put custom keys into data or apns.payload, and use only "
        + "the keys of the FCM v1 reference")
  }

  /// Parameters of the query that do not fit.
  static func parametersInvalid(_ violations: [FieldViolation]) -> Diagnosis {
    fieldsInvalid(
      violations, in: "query",
      fix: "write pageSize as a whole number and allowMissing as true or false")
  }

  private static func fieldsInvalid(
    _ violations: [FieldViolation], in place: String, fix: String
  ) -> Diagnosis {
    let first = violations.first?.description ?? ""
    // No more are collected.
    let count = violations.count < MessageReader.violationLimit ? "" : "at least "
    return Diagnosis(
      .fieldInvalid,
      what: "fields of the \(place) that do not fit the schema: \(count)\(violations.count), the "
        + "first: \(clause(first))",
      fix: fix)
  }
}
