internal import PushpitModel

/// One push while it is examined: what was read of the request, and the outcome as far as known.
///
/// Not copyable, because a copy for each check cost more than all checks together.
struct APNsPush: ~Copyable {
  var fields: APNsFields
  var path: APNsPath
  var outcome: PushOutcome
  var workspace: Workspace
  /// Of the `authorization` field, when it has the bearer scheme and a token.
  var providerToken: ProviderToken?
  /// What is known of its device token.
  var record: TokenRecord?
  /// Its device token has the form of one.
  var isTokenWellFormed = false
  /// It has an `apns-id`, which is a UUID.
  var isIDWellFormed = false
  /// By `apns-push-type`; nil when the field was omitted.
  var pushType: APNsPushType?

  /// What became of it, at the end.
  consuming func finish() -> PushOutcome { outcome }
}
