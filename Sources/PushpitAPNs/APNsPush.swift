internal import PushpitModel

/// What was read of one push, for the checks: nothing is judged yet but shapes.
///
/// Not copyable, because a copy for each check cost more than all checks together.
struct APNsPush: ~Copyable {
  var fields = APNsFields()
  var path = APNsPath.unknown
  /// That of the credential, else of the device token, else the default one.
  var workspace: Workspace
  /// The workspace's.
  var policies = Policies()
  /// Of the `authorization` field, when it has the bearer scheme and a token.
  var providerToken: ProviderToken?
  /// The provider token is another than the last valid one of the connection.
  var isTokenNew = false
  /// The device token of the path, percent-decoded.
  var token: ArraySlice<UInt8> = []
  /// The device token has the form of one.
  var isTokenWellFormed = false
  /// What is known of the device token.
  var record: TokenRecord?
  var topic: ArraySlice<UInt8> = []
  /// The topic, when there is one, has the form of one.
  var isTopicWellFormed = true
  /// The push type whose suffix the topic ends with.
  var topicOwner: APNsPushType?
  /// There is an `apns-id`, and it is a UUID.
  var isIDWellFormed = false
  /// By `apns-push-type`; nil when the field was omitted or has an unknown value.
  var pushType: APNsPushType?
  /// `apns-priority`; nil when absent or unreadable.
  var priority: UInt8?
  /// `apns-expiration`; nil when absent or unreadable.
  var expiration: Int64?

  init(workspace: Workspace) {
    self.workspace = workspace
  }

  /// Moves token and topic to the outcome when no check needs them any more.
  ///
  /// A copy would count references.
  mutating func moveBytes(to outcome: inout PushOutcome) {
    swap(&outcome.token, &token)
    swap(&outcome.topic, &topic)
  }
}
