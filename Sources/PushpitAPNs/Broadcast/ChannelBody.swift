internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// The body of a request that creates a channel:
/// `{"message-storage-policy": 1, "push-type": "LiveActivity"}`.
struct ChannelBody {
  static let pushTypeKey = "push-type"
  static let policyKey = "message-storage-policy"
  /// As a read channel shows it (Apple: Sending channel management requests to APNs).
  static let pushType = "LiveActivity"

  /// The members; empty before the body was read.
  private(set) var object = JSONObject()

  init() {}

  /// Reads a body; nil when it is no JSON object.
  init?(_ bytes: [UInt8]) {
    guard let object = (try? JSONReader.parse(bytes))?.objectValue else { return nil }
    self.object = object
  }

  /// The first member that a channel does not have.
  var unknownMember: String? {
    object.members.first { $0.key != Self.pushTypeKey && $0.key != Self.policyKey }?.key
  }

  /// The push type; nil when it is absent or `null`.
  var pushType: JSONValue? { object[Self.pushTypeKey].flatMap { $0 == .null ? nil : $0 } }

  /// The storage policy; nil when it is absent or no policy.
  var storagePolicy: Channel.StoragePolicy? {
    object[Self.policyKey]?.intValue.flatMap(Channel.StoragePolicy.init)
  }

  /// Whether a value is the one push type that broadcasts have.
  ///
  /// Compared without case: node-apn writes `liveactivity` into the body, Apple's page `LiveActivity`.
  static func isLiveActivity(_ value: some Collection<UInt8>) -> Bool {
    Array(value).withUnsafeBufferPointer { $0.isEqualIgnoringCase("liveactivity") }
  }

  /// Writes what a read channel has.
  static func write(_ channel: Channel, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member(policyKey, channel.storagePolicy.rawValue)
    writer.member(pushTypeKey, pushType)
    writer.endObject()
  }
}
