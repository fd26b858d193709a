import PushpitJSON
import PushpitModel

/// What one platform gets of a message: its own configuration laid over the common fields.
///
/// Google's reference: the platform's `data`, "if present", overrides `Message.data`, so it takes the
/// place of the whole map; title and body override the common ones.
struct EffectiveMessage {
  var notification = JSONObject()
  var data = JSONObject()
  /// The APNs payload, literally; for iOS.
  var payload: JSONValue?

  /// Lays out a message.
  init(_ message: FCMMessage, platform: Platform) {
    let common = message.fields
    notification = common["notification"]?.objectValue ?? JSONObject()
    var ownData: JSONObject?
    switch platform {
    case .android:
      notification = Self.overlay(notification, message.androidNotification)
      ownData = message.android?.config["data"]?.objectValue
    case .web:
      notification = Self.overlay(notification, common["webpush"]?["notification"]?.objectValue)
      ownData = common["webpush"]?["data"]?.objectValue
    case .ios:
      payload = common["apns"]?["payload"]
    }
    // An empty map is none: maps of protobuf have no presence.
    let isOwn = ownData?.members.isEmpty == false
    data = Self.overlay(JSONObject(), isOwn ? ownData : common["data"]?.objectValue)
  }

  /// Bytes of keys and values together, as the documented limit counts them; where the platform is not
  /// known, those of the largest variant.
  static func byteCount(_ message: FCMMessage, platform: Platform?) -> Int {
    guard let platform else {
      return Platform.allCases.reduce(0) { max($0, byteCount(message, platform: $1)) }
    }
    let variant = EffectiveMessage(message, platform: platform)
    let payload = variant.payload?.objectValue ?? JSONObject()
    // Google: the payload's alert overrides the common title and body.
    let isOverridden = payload["aps"]?["alert"] != nil
    return byteCount(payload) + byteCount(variant.data)
      + (isOverridden ? 0 : byteCount(variant.notification))
  }

  /// What Android and web apps get as JSON: `notification` and `data`, each only when it is there.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if !notification.members.isEmpty { writer.member("notification", .object(notification)) }
    if !data.members.isEmpty { writer.member("data", .object(data)) }
    writer.endObject()
    return writer.bytes
  }

  private static func byteCount(_ object: JSONObject) -> Int {
    object.members.reduce(0) { count, member in
      let valueCount =
        member.value.stringValue?.utf8.count ?? member.value.serialized().count
      return count + member.key.utf8.count + valueCount
    }
  }

  /// With more members keys are found by a table; comparing a few costs less than it.
  private static let comparedCount = 16

  /// Lays one object over another; of repeated keys the last wins.
  ///
  /// Linear in their size.
  private static func overlay(_ base: JSONObject, _ upper: JSONObject?) -> JSONObject {
    guard let upper, !upper.members.isEmpty else { return base }
    if base.members.count + upper.members.count <= comparedCount {
      var result = JSONObject()
      result.members.reserveCapacity(base.members.count + upper.members.count)
      // Setting replaces the value where the key is.
      for member in base.members { result[member.key] = member.value }
      for member in upper.members { result[member.key] = member.value }
      return result
    }
    var result = JSONObject()
    // Keys are compared byte by byte, not by canonical equivalence as strings are.
    var indices: [ByteKey: Int] = [:]
    for member in base.members + upper.members {
      let key = ByteKey(Array(member.key.utf8))
      if let index = indices[key] {
        result.members[index] = member
      } else {
        indices[key] = result.members.count
        result.members.append(member)
      }
    }
    return result
  }
}
