internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// Turns what became of a push into HTTP: the only place that does.
///
/// An answer has the fields written here and no others; APNs sends no date, no server and no
/// content length (observed 2018 to 2026).
enum APNsResponse {
  /// 200 with `apns-id`, and in the sandbox `apns-unique-id` (since 2023); no body.
  static func accept(
    _ response: inout ResponseHead, _ body: inout [UInt8], id: ArraySlice<UInt8>,
    uniqueID: [UInt8]?
  ) {
    response.reset(status: 200)
    body.removeAll(keepingCapacity: true)
    id.withUnsafeBufferPointer { append("apns-id", $0, to: &response) }
    uniqueID?.withUnsafeBufferPointer { append("apns-unique-id", $0, to: &response) }
  }

  /// The reason's status with `apns-id`, and `{"reason":"X"}` without spaces or newline.
  ///
  /// `timestamp` is there with 410 only, in milliseconds. Apple's page shows a `content-type`;
  /// captures of 2018 and 2026 have none.
  static func refuse(
    _ response: inout ResponseHead, _ body: inout [UInt8], _ refusal: APNsRefusal,
    id: ArraySlice<UInt8>, wire: Policies.Wire
  ) {
    response.reset(status: refusal.reason.status)
    id.withUnsafeBufferPointer { append("apns-id", $0, to: &response) }
    if wire == .documented {
      response.fields.append("content-type", "application/json".utf8)
    }
    body.removeAll(keepingCapacity: true)
    body.append(contentsOf: reason(of: refusal, wire))
  }

  /// The body of a refusal.
  static func reason(of refusal: APNsRefusal, _ wire: Policies.Wire) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("reason", refusal.reason.text(wire))
    if let timestamp = refusal.timestamp { writer.member("timestamp", timestamp.milliseconds) }
    writer.endObject()
    return writer.bytes
  }

  private static func append(
    _ name: StaticString, _ value: UnsafeBufferPointer<UInt8>, to response: inout ResponseHead
  ) {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    response.fields.append(name: name, value: value)
  }
}
