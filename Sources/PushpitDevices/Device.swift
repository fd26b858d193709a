package import PushpitModel

/// A simulated phone or browser with one app on it.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change of a property calls nothing but its own methods.
package final class Device {
  /// At most this many of the pushes that reached it are kept, the newest.
  package static let inboxLimit = 1000
  /// At most this many of its events can be replayed to a stream that resumes.
  package static let eventLimit = 1000
  /// At most this many broadcast channels are followed by one device.
  package static let channelLimit = 100
  /// At most this many Live Activities are kept, the newest, ended ones too.
  package static let activityLimit = 100
  /// At most this many tokens are remembered that its app had before.
  package static let formerTokenLimit = 100
  /// At most this many streams are open on one device.
  package static let streamLimit = 100
  /// At most this many entries of its history are kept, the newest.
  package static let historyLimit = 100
  /// The longest that an app waits for its tokens.
  package static let tokenDelayLimit = Duration.seconds(86_400)

  package let id: DeviceID
  package let workspace: WorkspaceID
  package let platform: Platform
  /// Bundle ID or package name.
  package let app: String
  /// Of its APNs token; nil when it has none.
  package let environment: APNsEnvironment?
  /// The FCM project of its registration token; nil when it has none or any will do.
  package let project: String?
  /// The name of the payload contract it follows; nil for none.
  package let contract: String?
  /// How long after each launch its app is told its tokens; nil for at once.
  package let tokenDelay: Duration?
  package internal(set) var name: String
  /// What a configuration file said of it, as JSON text; nil for one that was made over the API.
  package var declaration: String?

  /// Online by request (true, false), or as its streams have it (nil).
  @exclusivity(unchecked) package internal(set) var onlineRequest: Bool?
  /// What its app reports to the provider.
  package internal(set) var callbacks: DeviceCallbacks
  package internal(set) var foreground = Foreground.closed
  @exclusivity(unchecked) package internal(set) var permission = Permission.granted
  /// Whether it is in low power (iOS) or in Doze (Android), so that what is not urgent has to wait.
  @exclusivity(unchecked) package internal(set) var savesPower = false
  /// Whether the app is there; its tokens are dead when it is not.
  @exclusivity(unchecked) package internal(set) var isInstalled = true
  /// When the app is told its tokens; nil once it knows them.
  package internal(set) var tokensReadyAt: Timestamp?
  package internal(set) var apnsToken: TokenRecord?
  package internal(set) var fcmToken: TokenRecord?
  /// The newest of the tokens that its app had before, oldest first.
  var formerTokens: [TokenRecord] = []
  /// iOS: the app's device tokens of other kinds, without those of Live Activities.
  package internal(set) var furtherTokens: [TokenRecord] = []
  /// The newest Live Activities, oldest first.
  package internal(set) var activities: [LiveActivity] = []
  /// What was sent to it and waits to be acknowledged.
  @exclusivity(unchecked) var unacknowledged = UnacknowledgedPushes()
  /// What its app's SDK has seen.
  var seenMessages = SeenMessages()
  /// The shown notifications that a newer push may replace.
  var replaceable = ReplaceableNotifications()
  /// iOS: when background pushes came in the last hour, where that is limited.
  var backgroundArrivals = RecentItems<Timestamp>(
    limit: DeliverySettings.backgroundLimits.upperBound)
  /// What its app did, oldest first.
  package internal(set) var history = RecentItems<CallbackTry>(limit: Device.historyLimit)
  /// What reached it, oldest first.
  @exclusivity(unchecked)
  package internal(set) var inbox = RecentItems<DevicePush>(limit: Device.inboxLimit)

  /// Its place in the order of making, from 1.
  let serial: UInt64
  /// Its workspace, which has its topics.
  let home: Workspace
  @exclusivity(unchecked) var events = RecentItems<DeviceEvent>(limit: Device.eventLimit)
  @exclusivity(unchecked) var lastEventID: UInt64 = 0
  /// The place, among all devices' events, of the newest that is not kept any more.
  @exclusivity(unchecked) var evictedOrder: UInt64 = 0
  @exclusivity(unchecked) var streams: [DeviceSubscription] = []
  /// Used by iOS devices, whose FCM messages are relayed to APNs too.
  var apnsStorage = APNsStorage()
  /// The broadcast channels that its Live Activities follow, in the order of subscription.
  package internal(set) var channels: [Channel] = []
  /// Those of them that a Live Activity brought, and takes away.
  var channelsOfActivities: Set<String> = []
  var channelStorage = ChannelStorage()
  /// The end of a stored push that an alarm is set for.
  var awaitedExpiry: Timestamp?
  /// Used by Android devices and browsers.
  var fcmStorage = FCMStorage()

  init(
    id: DeviceID, serial: UInt64, workspace: WorkspaceID, home: Workspace, name: String,
    specification: DeviceSpecification, project: String?, callbacks: DeviceCallbacks
  ) {
    self.id = id
    self.serial = serial
    self.workspace = workspace
    self.home = home
    self.name = name
    platform = specification.platform
    app = specification.app
    environment = specification.environment
    self.project = project
    contract = specification.contract
    tokenDelay = specification.tokenDelay
    self.callbacks = callbacks
  }

  /// A request for offline wins over streams.
  package var isOnline: Bool { onlineRequest ?? !streams.isEmpty }

  /// Whether a push has to wait for the device to have power.
  func holds(_ push: DevicePush) -> Bool { savesPower && !push.manner.isUrgent }

  /// When the first of its stored pushes expires; nil when nothing is stored.
  var storedExpiry: Timestamp? {
    [
      apnsStorage.expiresAt, channelStorage.expiresAt, fcmStorage.expiresAt,
      streams.isEmpty ? unacknowledged.expiresAt : nil,
    ].compactMap(\.self).min()
  }

  /// Whether its streams say themselves what has arrived; one that does not speaks for all.
  var acknowledgesByHand: Bool {
    !streams.isEmpty && streams.allSatisfy { $0.acknowledgement == .manual }
  }

  /// How many pushes wait for it.
  package var storedCount: Int {
    apnsStorage.count + channelStorage.count + fcmStorage.count + unacknowledged.count
  }

  /// The tokens that die with the app, dead ones too; those of Live Activities are not among them.
  var tokens: [TokenRecord] {
    [apnsToken, fcmToken].compactMap(\.self) + furtherTokens + formerTokens
  }

  /// Whether APNs brings its pushes, FCM's too: of the cases alone, because every push asks.
  var isReachedByAPNs: Bool { if case .ios = platform { true } else { false } }
}

/// Whether the app is in front, and with which conversation.
package enum Foreground: Sendable, Equatable {
  case closed
  case open
  case conversation(String)
}

/// Whether the owner lets the app show notifications.
package enum Permission: String, Sendable, CaseIterable {
  case granted
  case denied
}
