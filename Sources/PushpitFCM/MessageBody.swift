import PushpitJSON

/// The body of a request, read as Google's front end reads it into a protobuf message.
enum MessageBody {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The fields of a body under their proto names.
  ///
  /// An error that more bytes could not have mended is the answer at once; otherwise come the faults of
  /// the values that were read, and then the error that the end brought (measured in October 2026).
  static func read(_ body: [UInt8], as type: MessageType) throws(FCMRefusal) -> JSONObject {
    // An empty body is an empty message; a byte order mark does not count (measured in October 2026).
    guard !body.isEmpty, body != byteOrderMark else { return JSONObject() }
    let reading = LenientJSONReader.read(body)
    if let error = reading.error, error.isImmediate { throw refusal(error) }
    var fields = JSONObject()
    if let root = reading.value {
      var reader = MessageReader()
      fields = reader.read(root, as: type)
      guard reader.violations.isEmpty else {
        throw FCMRefusal(
          .invalidFields(reader.violations), FCMDiagnoses.fieldsInvalid(reader.violations))
      }
    }
    if let error = reading.error { throw refusal(error) }
    return fields
  }

  private static func refusal(_ error: LenientJSONError) -> FCMRefusal {
    FCMRefusal(.invalidJSON(error), FCMDiagnoses.bodyNotJSON(error))
  }
}
