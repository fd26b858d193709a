package import PushpitModel

/// An accepted push on its way to a device, or there.
///
/// Its bytes are shared with the record's and read only when somebody looks at them.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its variables are only read and assigned.
package final class DevicePush {
  package let envelope: EnvelopeNumber
  package let service: PushService
  /// Whether it came by way of APNs, as all that reaches an iOS device.
  package let isByAPNs: Bool
  /// iOS: the payload of APNs, whoever sent it; else FCM's effective message as JSON.
  package let payload: [UInt8]
  /// The channel of a broadcast; nil for a push to this device.
  package let channel: Channel?
  /// How urgent it is, and whether it is for the app alone.
  let manner: PushManner
  /// Whether its token is that of the app itself.
  let isOfApp: Bool
  /// APNs: `apns-collapse-id`; FCM: the collapse key; empty without one.
  private(set) var collapse: [UInt8]
  /// Whether its collapse key is the app's name, once it has to be stored.
  private let collapsesByApp: Bool
  /// Until when it is stored for an offline device; nil when it is not stored at all.
  let expiresAt: Timestamp?

  /// How far the workspace's clock was ahead of real time when it came, in milliseconds: times that
  /// its sender wrote are read by it.
  let clockLead: Int64

  /// What the app's SDK read in it; nil when it is not the SDK's, or has not arrived.
  package internal(set) var reading: SDKReading?
  /// The token it was sent to, when that is one of Live Activities.
  var activityToken: TokenRecord?
  /// Whether a step of it was told.
  @exclusivity(unchecked) var isReported = false
  /// Whether it was sent already, to be acknowledged.
  @exclusivity(unchecked) var isSent = false
  /// The newest step of its life on this device.
  @exclusivity(unchecked) package internal(set) var state = DeliveryState.stored
  /// The workspace's time of that step.
  @exclusivity(unchecked) package internal(set) var at: Timestamp

  init(
    envelope: EnvelopeNumber, service: PushService, payload: [UInt8], isByAPNs: Bool,
    manner: PushManner = PushManner(), isOfApp: Bool = true,
    collapse: [UInt8] = [], collapsesByApp: Bool = false, channel: Channel? = nil,
    expiresAt: Timestamp?, at: Timestamp, real: Timestamp
  ) {
    self.envelope = envelope
    self.service = service
    self.payload = payload
    self.isByAPNs = isByAPNs
    self.manner = manner
    self.isOfApp = isOfApp
    self.collapse = collapse
    self.collapsesByApp = collapsesByApp
    self.channel = channel
    self.expiresAt = expiresAt
    self.at = at
    clockLead = at.milliseconds - real.milliseconds
  }

  /// Takes the name of its app as its collapse key, where that is the default.
  func resolveCollapse(app: String) {
    if collapsesByApp { collapse = Array(app.utf8) }
  }

  /// Whether its time to be stored has passed.
  func isExpired(at now: Timestamp) -> Bool {
    expiresAt.map { $0 <= now } ?? false
  }

  /// Whether the app itself gets it, and not a Live Activity, a VoIP call and the like.
  var isForApp: Bool { isOfApp && channel == nil && activityToken == nil }

  /// Whether it is meant to be shown, to sound or to count.
  var isAlert: Bool { isForApp && !manner.isBackground }

  /// Whether it has something to show.
  var hasAlert: Bool {
    guard isAlert else { return false }
    return isByAPNs
      ? AlertGlance.hasAlert(apns: payload) : AlertGlance.hasNotification(fcm: payload)
  }

  /// Whether it is on the screen, where nobody has tapped or dismissed it yet.
  var isShown: Bool {
    switch state {
    case .displayed: true
    case .stored, .delivered, .collapsed, .expired, .dropped, .suppressed, .duplicate, .tapped,
      .dismissed,
      .opened:
      false
    }
  }
}
