/// What the gateway knows of one token: whose it is and whether it lives.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its properties are only read and assigned as wholes.
package final class TokenRecord {
  /// The life of a token.
  package enum State: Sendable, Equatable {
    case active
    /// Dead since a workspace time: the app was uninstalled.
    case unregistered(since: Timestamp)
    /// Replaced by a newer token of the same app; answered as unregistered.
    ///
    /// Apple's two texts for 410 are "inactive for the specified topic" and "has expired". A token that
    /// a reinstalled or restored app replaced is inactive, and reports name Unregistered for it
    /// (Apple's forums, 794478); nobody is known to have seen ExpiredToken for one.
    case rotated(at: Timestamp)
    /// Expired at a workspace time, because a test wanted it so: nobody outside Apple knows when
    /// device tokens expire.
    case expired(since: Timestamp)
  }

  /// APNs: lower-case hexadecimal digits; FCM: as minted.
  package let token: [UInt8]
  package let kind: TokenKind
  /// APNs: what the token is for; nil when undeclared.
  package let purpose: DeviceTokenKind?
  /// Whether its pushes change Live Activities; stored, because every push asks.
  package let isOfLiveActivities: Bool
  /// Whether its pushes are for the app itself; stored for the same reason.
  package let isOfApp: Bool
  /// Whether it has the form of a registration token with its colon as such; stored for the same reason.
  package let isPlainRegistrationToken: Bool
  package let workspace: WorkspaceID
  /// The device that has it; nil when nobody registered it (an undeclared device).
  package let device: DeviceID?
  /// The device itself, for whoever made it and registered the token; nil once it was removed.
  ///
  /// Strong although the device has the record: a weak reference would make every count of the
  /// device's references dearer. Who sets it sets it to nil in the end.
  package var owner: AnyObject? {
    get { storedOwner }
    set { storedOwner = newValue }
  }
  /// APNs: the environment it belongs to; nil when undeclared.
  package let environment: APNsEnvironment?
  /// APNs: bundle ID and suffix, the only topic it takes; empty when undeclared.
  package let topic: [UInt8]
  /// FCM, iOS: the device token of its app, which messages are passed on to.
  package var apnsToken: TokenRecord?
  /// FCM: the project it belongs to; nil when undeclared.
  package let project: String?
  /// Bundle ID or package name; nil when undeclared.
  package let app: String?
  /// The platform of its device; nil when undeclared.
  package let platform: Platform?
  package var state: State {
    get { storedState }
    set { storedState = newValue }
  }
  /// FCM: since when its device is disconnected, in the workspace's time; nil while it is not.
  package var disconnectedAt: Timestamp?
  /// The app of this token logged out: the vendor still answers 200, and a warning says so.
  package var isCleared: Bool {
    get { storedIsCleared }
    set { storedIsCleared = newValue }
  }
  // Beside `owner`, `state` and `isCleared`, because modules that use a property directly make the check
  // all the same.
  @exclusivity(unchecked) private var storedOwner: AnyObject?
  @exclusivity(unchecked) private var storedState = State.active
  @exclusivity(unchecked) private var storedIsCleared = false
  /// The first topic or project that an undeclared token was used with.
  package var firstUse: [UInt8] = []
  /// APNs: the first environment that an undeclared token was used in.
  package var firstEnvironment: APNsEnvironment?
  /// Its slot among the undeclared tokens; nil when it is none of them.
  var undeclaredSlot: Int?
  /// Whether an undeclared token was used since it was last looked at to be forgotten.
  @exclusivity(unchecked) var isUsedAgain = false

  /// Whether a device has it.
  package var isDeclared: Bool { device != nil }

  /// How long FCM keeps the registration of an Android device that does not connect (FCM: Best
  /// practices for registration token management).
  package static let inactivityLimit: Duration = .seconds(270 * 86_400)

  /// Lets the token of an Android device expire that was disconnected for too long at a time of the
  /// workspace; true when it has expired now.
  ///
  /// Those of other platforms live as long as their push service says (the same page).
  package func expireIfInactive(at now: Timestamp) -> Bool {
    guard kind == .fcm, platform == .android, state == .active, let disconnectedAt,
      now >= disconnectedAt + Self.inactivityLimit
    else { return false }
    state = .expired(since: disconnectedAt + Self.inactivityLimit)
    return true
  }

  /// Whether it lives: of the cases alone, because every push asks.
  package var isActive: Bool { if case .active = state { true } else { false } }

  /// Whether it lives and its app is logged in.
  package var isInUse: Bool { state == .active && !isCleared }

  package init(
    token: [UInt8], kind: TokenKind, purpose: DeviceTokenKind? = nil,
    workspace: WorkspaceID = .default, device: DeviceID? = nil,
    environment: APNsEnvironment? = nil, topic: [UInt8] = [], project: String? = nil,
    app: String? = nil, platform: Platform? = nil
  ) {
    self.token = token
    self.kind = kind
    self.purpose = purpose
    isOfLiveActivities = purpose?.isOfLiveActivities ?? false
    isOfApp = purpose.map { $0 == .app } ?? true
    isPlainRegistrationToken =
      kind == .fcm && TokenShape.isFCM(token) && token.contains(UInt8(ascii: ":"))
    self.workspace = workspace
    self.device = device
    self.environment = environment
    self.topic = topic
    self.project = project
    self.app = app
    self.platform = platform
  }
}
