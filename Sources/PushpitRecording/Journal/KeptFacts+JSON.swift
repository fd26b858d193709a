package import PushpitJSON
package import PushpitModel

/// What records refer to, as JSON for a disk.
extension CredentialFacts {
  var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "kind": .string(kind.rawValue), "keyID": text(keyID), "teamID": text(teamID),
      "serviceAccount": text(serviceAccount), "subject": text(subject), "decoded": text(decoded),
      "fingerprint": .string(fingerprint),
    ]
  }

  /// Reads what `json` writes; nil for anything else.
  package static func read(_ json: JSONValue) -> CredentialFacts? {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    guard let kind = text("kind").flatMap({ Kind(rawValue: $0) }),
      let fingerprint = text("fingerprint")
    else { return nil }
    return CredentialFacts(
      kind: kind, keyID: text("keyID"), teamID: text("teamID"),
      serviceAccount: text("serviceAccount"), subject: text("subject"), decoded: text("decoded"),
      fingerprint: fingerprint)
  }
}

extension EnvelopeAnnotation {
  var json: JSONValue {
    var object = JSONObject()
    if let diagnosis {
      object["diagnosis"] = [
        "code": .string(diagnosis.code.rawValue), "what": .string(diagnosis.what),
        "fix": .string(diagnosis.fix),
      ]
    }
    object["warnings"] = .array(
      warnings.map { warning in
        [
          "code": .string(warning.code), "pointer": .string(warning.pointer),
          "expected": .string(warning.expected), "found": .string(warning.found),
          "text": .string(warning.text),
        ]
      })
    return .object(object)
  }

  /// Reads what `json` writes.
  init(_ json: JSONValue) {
    func text(_ value: JSONValue?, _ name: String) -> String { value?[name]?.stringValue ?? "" }
    diagnosis = json["diagnosis"].map {
      Diagnosis(DiagnosisCode(text($0, "code")), what: text($0, "what"), fix: text($0, "fix"))
    }
    warnings = (json["warnings"]?.arrayValue ?? []).map {
      PayloadWarning(
        code: text($0, "code"), pointer: text($0, "pointer"), expected: text($0, "expected"),
        found: text($0, "found"), text: text($0, "text"))
    }
  }
}
