internal import PushpitHTTPTypes
internal import PushpitModel

/// The values of `apns-push-type`, each with the topic suffix it needs.
///
/// Apple: Sending notification requests to APNs. Values are compared exactly: the page writes them
/// in lower case, and no capture shows another case being accepted for a device push.
package enum APNsPushType: CaseIterable, Sendable {
  case alert
  case background
  case location
  case voip
  case complication
  case fileprovider
  case mdm
  case liveactivity
  case pushtotalk
  case widgets
  case controls

  /// The value on the wire.
  package var text: StaticString {
    switch self {
    case .alert: "alert"
    case .background: "background"
    case .location: "location"
    case .voip: "voip"
    case .complication: "complication"
    case .fileprovider: "fileprovider"
    case .mdm: "mdm"
    case .liveactivity: "liveactivity"
    case .pushtotalk: "pushtotalk"
    case .widgets: "widgets"
    case .controls: "controls"
    }
  }

  /// What its topic ends with after the bundle ID; nil for types that take the plain bundle ID.
  ///
  /// The topic of `mdm` is the UID of a certificate, without a suffix.
  package var topicSuffix: StaticString? {
    switch self {
    case .alert, .background, .mdm: nil
    case .location: DeviceTokenKind.location.topicSuffix
    case .voip: DeviceTokenKind.voip.topicSuffix
    case .complication: DeviceTokenKind.complication.topicSuffix
    case .fileprovider: DeviceTokenKind.fileprovider.topicSuffix
    case .liveactivity: DeviceTokenKind.liveactivity.topicSuffix
    case .pushtotalk: DeviceTokenKind.pushtotalk.topicSuffix
    case .widgets: DeviceTokenKind.widgets.topicSuffix
    case .controls: DeviceTokenKind.controls.topicSuffix
    }
  }

  private static let all = allCases

  /// The type that a header value names.
  package init?(_ value: ArraySlice<UInt8>) {
    for type in Self.all where value.isEqual(type.text) {
      self = type
      return
    }
    return nil
  }

  /// The type whose suffix a topic ends with; nil for a plain bundle ID.
  package static func ofSuffix(_ topic: ArraySlice<UInt8>) -> APNsPushType? {
    topic.withUnsafeBufferPointer { topic in
      for type in all {
        if let suffix = type.topicSuffix, topic.ends(with: suffix) { return type }
      }
      return nil
    }
  }

  /// Whether a topic's suffix, which is that of `owner` or none, is the one this type needs.
  func accepts(topicOf owner: APNsPushType?) -> Bool {
    topicSuffix == nil ? owner == nil : owner == self
  }
}
