internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// Turns what became of a request about channels into HTTP: the only place that does.
///
/// `apns-request-id` stands where other answers have `apns-id` (Apple: Sending channel management
/// requests; Sending broadcast push notification requests). Fields that no page names are left out,
/// as in every captured answer of APNs.
enum BroadcastResponse {
  /// A good answer about channels.
  enum Answer {
    case created(Channel)
    case channel(Channel)
    case channels([Channel])
    case deleted

    /// Of the page, and observed for creation on the sandbox in September 2026.
    var status: Int {
      switch self {
      case .created: 201
      case .channel, .channels: 200
      case .deleted: 204
      }
    }
  }

  /// A broadcast that was taken: 200, in the sandbox with `apns-unique-id`, which client libraries
  /// read from it; no body.
  static func accept(
    _ response: inout ResponseHead, _ body: inout [UInt8], id: ArraySlice<UInt8>,
    uniqueID: [UInt8]?
  ) {
    begin(&response, &body, status: 200, id)
    if let uniqueID { response.fields.append("apns-unique-id", uniqueID) }
  }

  /// 201 with `apns-channel-id`, 200 with JSON, 204.
  ///
  /// The page of the list calls its body empty and then shows `channels`; a list without a body would
  /// list nothing. The order of the ids is assumed: oldest first.
  static func write(
    _ answer: Answer, _ response: inout ResponseHead, _ body: inout [UInt8],
    id: ArraySlice<UInt8>, wire: Policies.Wire
  ) {
    begin(&response, &body, status: answer.status, id)
    var writer = JSONWriter(style: .compact)
    switch answer {
    case .created(let channel): response.fields.append("apns-channel-id", channel.id)
    case .deleted: break
    case .channel(let channel): ChannelBody.write(channel, into: &writer)
    case .channels(let channels):
      writer.beginObject()
      writer.key("channels")
      writer.beginArray()
      for channel in channels { writer.string(utf8: channel.id) }
      writer.endArray()
      writer.endObject()
    }
    finish(&response, &body, writer.bytes, wire)
  }

  /// The reason's status and `{"reason":"X"}`.
  static func refuse(
    _ response: inout ResponseHead, _ body: inout [UInt8], _ refusal: APNsRefusal,
    id: ArraySlice<UInt8>, wire: Policies.Wire
  ) {
    begin(&response, &body, status: refusal.reason.status, id)
    finish(&response, &body, APNsResponse.reason(of: refusal, wire), wire)
  }

  private static func begin(
    _ response: inout ResponseHead, _ body: inout [UInt8], status: Int, _ id: ArraySlice<UInt8>
  ) {
    response.reset(status: status)
    body.removeAll(keepingCapacity: true)
    response.fields.append("apns-request-id", id)
  }

  /// Apple's pages show a `content-type` with a body; whether there is one is not known here, and
  /// captured answers to pushes have none.
  private static func finish(
    _ response: inout ResponseHead, _ body: inout [UInt8], _ json: [UInt8], _ wire: Policies.Wire
  ) {
    guard !json.isEmpty else { return }
    if wire == .documented { response.fields.append("content-type", "application/json".utf8) }
    body.append(contentsOf: json)
  }
}
