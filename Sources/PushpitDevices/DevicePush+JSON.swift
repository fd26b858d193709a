package import PushpitJSON
internal import PushpitModel

extension DevicePush {
  /// What the app reads from it.
  package var content: PushContent { PushContent(isOfAPNs: isByAPNs, payload: payload) }

  /// Writes the push as a device's stream carries it, as members of the innermost object.
  func writeEventMembers(into writer: inout JSONWriter) {
    let content = content
    writer.member("envelope", EnvelopeID.text(envelope))
    writer.member("service", service.rawValue)
    writer.memberIfPresent("channel", channel?.text)
    writer.memberOrNull("title", content.title)
    writer.memberOrNull("body", content.body)
    writer.member("data", content.data)
    writer.member("payload", content.payload)
    writer.member("state", state.rawValue)
    writeReading(into: &writer)
    writer.member("at", at.rfc3339)
  }

  /// Writes the push as an item of a device's inbox.
  package func writeInboxItem(into writer: inout JSONWriter) {
    let content = content
    writer.beginObject()
    writer.member("envelope", EnvelopeID.text(envelope))
    writer.member("service", service.rawValue)
    writer.memberIfPresent("channel", channel?.text)
    writer.member("state", state.rawValue)
    writer.memberOrNull("title", content.title)
    writer.memberOrNull("body", content.body)
    writer.member("data", content.data)
    writeReading(into: &writer)
    writer.member("at", at.rfc3339)
    writer.endObject()
  }

  /// Writes what the app's SDK read as members of the innermost object: `contract` is null where the
  /// push is none of the SDK's.
  func writeReading(into writer: inout JSONWriter) {
    writer.memberOrNull("contract", reading?.contract)
    writer.memberIfPresent("messageID", reading?.content.messageID)
    writer.memberIfPresent("conversation", reading?.content.conversation)
    writer.memberIfPresent("deliveryID", reading?.content.deliveryID)
    writer.memberIfPresent("deepLink", reading?.content.deepLink)
  }
}

/// What an app reads from a payload.
package struct PushContent: Equatable {
  /// The whole payload, null when it is not JSON.
  package let payload: JSONValue
  package let title: String?
  package let body: String?
  /// APNs: everything beside `aps`; FCM: the data map.
  package let data: JSONValue

  init(isOfAPNs: Bool, payload bytes: [UInt8]) {
    payload = Self.value(bytes)
    guard isOfAPNs else {
      title = payload["notification"]?["title"]?.stringValue
      body = payload["notification"]?["body"]?.stringValue
      data = payload["data"] ?? .object(JSONObject())
      return
    }
    let alert = payload["aps"]?["alert"]
    // An alert that is a string is the body (Apple: Generating a remote notification).
    title = alert?["title"]?.stringValue
    body = alert?.stringValue ?? alert?["body"]?.stringValue
    var rest = payload.objectValue ?? JSONObject()
    rest["aps"] = nil
    data = .object(rest)
  }

  /// A payload as JSON, null when it is none; FCM takes deeper messages than the reader's usual limit.
  static func value(_ bytes: [UInt8]) -> JSONValue {
    (try? JSONReader.parse(bytes, depthLimit: LenientJSONReader.depthLimit)) ?? .null
  }
}
