internal import PushpitModel

/// One push while it is examined: what was read of the request, and the outcome as far as known.
struct APNsPush {
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
  /// By `apns-push-type`; nil when the field was omitted.
  var pushType: APNsPushType?
}
