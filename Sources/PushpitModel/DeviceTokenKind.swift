/// What a device token of an iOS app is for: each kind is a token of its own and takes one topic.
///
/// Apple: Registering your app with APNs (separate tokens), and Sending notification requests to
/// APNs (topics). The raw value is its name in the console's `tokens`.
package enum DeviceTokenKind: String, Sendable, CaseIterable {
  /// Alerts and background pushes of the app itself.
  case app = "apns"
  case voip
  case complication
  case fileprovider
  /// Starts a Live Activity.
  case pushToStart
  /// Updates and ends one running Live Activity.
  case liveactivity
  case widgets
  case controls
  case pushtotalk
  case location

  /// What its topic ends with after the bundle ID, empty for the app's own.
  ///
  /// Apple prints `h.complication`; the topic list of certificates and every library say
  /// `.complication`.
  package var topicSuffix: StaticString {
    switch self {
    case .app: ""
    case .voip: ".voip"
    case .complication: ".complication"
    case .fileprovider: ".pushkit.fileprovider"
    case .pushToStart, .liveactivity: ".push-type.liveactivity"
    case .widgets: ".push-type.widgets"
    case .controls: ".push-type.controls"
    case .pushtotalk: ".voip-ptt"
    case .location: ".location-query"
    }
  }

  /// How many hexadecimal digits a minted token has.
  ///
  /// 64 for apps and 160 for Live Activities (observed); 64 is assumed for the others. A given token
  /// has any length, because Apple promises none.
  package var mintedLength: Int {
    switch self {
    case .pushToStart, .liveactivity: 160
    case .app, .voip, .complication, .fileprovider, .widgets, .controls, .pushtotalk, .location: 64
    }
  }

  /// How a sentence calls such a token.
  package var title: String {
    switch self {
    case .app: "app's device token"
    case .voip: "VoIP token"
    case .complication: "complication token"
    case .fileprovider: "file provider token"
    case .pushToStart: "push-to-start token"
    case .liveactivity: "update token of a Live Activity"
    case .widgets: "widgets token"
    case .controls: "controls token"
    case .pushtotalk: "Push to Talk token"
    case .location: "location token"
    }
  }

  /// Whether its pushes change Live Activities.
  package var isOfLiveActivities: Bool {
    switch self {
    case .pushToStart, .liveactivity: true
    case .app, .voip, .complication, .fileprovider, .widgets, .controls, .pushtotalk, .location:
      false
    }
  }

  /// The topic of its pushes.
  package func topic(of app: String) -> [UInt8] {
    Array(app.utf8)
      + UnsafeBufferPointer(
        start: topicSuffix.utf8Start, count: topicSuffix.utf8CodeUnitCount)
  }
}
