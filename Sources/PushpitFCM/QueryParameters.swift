internal import PushpitHTTPTypes
internal import PushpitJSON

/// The query of a request: the parameters that every Google API has (discovery document).
///
/// `alt`, `callback`, `key`, `quotaUser`, `uploadType`, `upload_protocol` and `$.xgafv` are taken and
/// change nothing: no sender of messages asks for another form, and no such answer was captured.
struct QueryParameters {
  private static let known: Set<String> = [
    "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint",
    "quotaUser", "uploadType", "upload_protocol",
  ]

  private let pairs: [(name: String, value: String)]

  init(_ head: RequestHead) {
    pairs = head.query.isEmpty ? [] : PercentCoding.pairs(head.query)
  }

  /// How the answer is laid out: printed, unless `prettyPrint` is false.
  var style: JSONWriter.Style {
    switch value("prettyPrint") {
    case "false", "0": .compact
    default: .indented
    }
  }

  /// Whether the answer shall have the message's name; without `fields` it has everything.
  ///
  /// Throws for parameters and fields that do not exist.
  func wantsName() throws(FCMRefusal) -> Bool {
    if let unknown = pairs.first(where: { !Self.known.contains($0.name) })?.name {
      throw FCMRefusal(
        .unknownQueryParameter(unknown), FCMDiagnoses.unknownQueryParameter(unknown))
    }
    return try mask(of: MessageSchema.message).wants("name")
  }

  /// What the answer, which is of this type, shall have; without `fields` everything.
  ///
  /// Throws for fields that the type does not have.
  func mask(of type: MessageType) throws(FCMRefusal) -> FieldMask {
    guard let mask = value("fields"), !mask.isEmpty else { return .whole }
    return try FieldMask(mask, of: type)
  }

  /// The fields of a request that are in its query, by their proto names; the body's reader reads them.
  ///
  /// Throws for parameters that do not exist and for values that do not fit.
  func fields(of type: MessageType) throws(FCMRefusal) -> JSONObject {
    var object = JSONObject()
    for pair in pairs where !Self.known.contains(pair.name) {
      guard type.field(pair.name) != nil else {
        throw FCMRefusal(
          .unknownQueryParameter(pair.name), FCMDiagnoses.unknownQueryParameter(pair.name))
      }
      object.members.append((pair.name, .string(pair.value)))
    }
    var reader = MessageReader()
    let fields = reader.read(.object(object), as: type)
    guard reader.violations.isEmpty else {
      throw FCMRefusal(
        .invalidFields(reader.violations), FCMDiagnoses.parametersInvalid(reader.violations))
    }
    return fields
  }

  /// Of repeated parameters the last one counts (discovery document).
  private func value(_ name: String) -> String? { pairs.last { $0.name == name }?.value }
}
