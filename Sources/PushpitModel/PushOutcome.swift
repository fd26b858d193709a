/// What became of a request, for the record and for delivery; the answer itself is made beside it.
///
/// Byte fields are slices of the request's own buffers, so that an accepted push makes no copies.
package struct PushOutcome {
  package var service: PushService
  package var workspace: WorkspaceID
  package var environment: APNsEnvironment?
  package var credential: CredentialFacts?

  /// The token as sent, percent-decoded.
  package var token: ArraySlice<UInt8> = []
  package var tokenKind: TokenKind?
  /// `apns-topic`; FCM: the topic or condition that the message is for.
  package var topic: ArraySlice<UInt8> = []
  package var pushType: ArraySlice<UInt8> = []
  /// `apns-priority`; nil when absent or unreadable.
  package var priority: UInt8?
  /// `apns-expiration` in seconds since 1970; nil when absent or unreadable.
  package var expiration: Int64?
  /// `apns-collapse-id`, or FCM's collapse key.
  package var collapse: ArraySlice<UInt8> = []
  /// FCM: whether it collapses with its app's other messages that name no key.
  package var collapsesByApp = false
  /// FCM: the project of the path.
  package var project: ArraySlice<UInt8> = []
  /// Bundle ID or package name, when the token is known.
  package var app: String?
  /// FCM: `projects/P/messages/M` of the answer.
  package var messageName: ArraySlice<UInt8> = []
  /// The `apns-id` of the answer, or its `apns-request-id` where it is about channels.
  package var apnsID: ArraySlice<UInt8> = []

  /// The HTTP status of the answer.
  package var status: Int
  /// The vendor's reason for a refusal, nil when accepted.
  ///
  /// APNs: the reason; FCM: the error code of FcmError, else the ErrorInfo reason, else the status;
  /// OAuth: `error`; IID: its error string.
  package var reason: String?
  /// FCM: `error.status`.
  package var googleStatus: String?
  package var diagnosis: Diagnosis?
  package var warnings: [PayloadWarning] = []

  /// Whom an accepted push is for; empty when refused, validated only, or for nobody known.
  package var recipient: TokenRecord?
  /// APNs: the channel, of a broadcast or of a request that manages channels.
  package var broadcast: BroadcastFacts?
  /// FCM: whom the push is for when that is a topic, a condition or a device group and not one token.
  package var fanOut: FanOut?
  /// FCM: how long it is stored for an offline device; nil for the service's default.
  package var timeToLive: Duration?
  /// How urgent an accepted push is, and whether it is for the app alone.
  package var manner = PushManner()
  /// What the device gets: APNs, the payload; FCM, the effective message as JSON.
  package var deviceMessage: [UInt8] = []

  package var isAccepted: Bool { reason == nil && status < 300 }

  package init(service: PushService, workspace: WorkspaceID, status: Int) {
    self.service = service
    self.workspace = workspace
    self.status = status
  }
}
