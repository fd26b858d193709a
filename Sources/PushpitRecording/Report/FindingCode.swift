/// What a sender does that the vendors punish, or that wastes.
package enum FindingCode: String, Sendable, CaseIterable {
  /// A push that was refused for good was sent again as it was.
  case retryAfterRefusal = "retry-after-refusal"
  /// A token was pushed to after the vendor had said that it is dead.
  case sentToDeadToken = "sent-to-dead-token"
  /// The sender went on at once after 429.
  case noBackoff = "no-backoff"
  /// The same push was accepted twice.
  case duplicatePush = "duplicate-push"
  /// A connection for each push.
  case connectionPerPush = "connection-per-push"
  /// A provider token for each push, or more than one in 20 minutes.
  case tooManyProviderTokens = "too-many-provider-tokens"
  /// An expired provider token goes on being sent.
  case staleProviderToken = "stale-provider-token"
  /// An access token for each message.
  case accessTokenPerPush = "access-token-per-push"
  /// An expired access token goes on being sent.
  case staleAccessToken = "stale-access-token"
  /// A token of the one vendor was sent to the other.
  case misroutedToken = "misrouted-token"

  /// Whether the vendors punish it, or it loses or doubles pushes; else it only wastes.
  var isError: Bool {
    switch self {
    case .retryAfterRefusal, .sentToDeadToken, .noBackoff, .duplicatePush, .tooManyProviderTokens,
      .staleProviderToken, .staleAccessToken, .misroutedToken:
      true
    case .connectionPerPush, .accessTokenPerPush: false
    }
  }

  /// What it is, with the number of times that it was seen.
  func what(_ count: Int) -> String {
    let times = count == 1 ? "once" : "\(count) times"
    return switch self {
    case .retryAfterRefusal:
      "a push that was refused for good was sent again unchanged, \(times)"
    case .sentToDeadToken:
      "a token was pushed to after the vendor had said that it is dead, \(times)"
    case .noBackoff: "after 429 the sender went on without a pause, \(times)"
    case .duplicatePush:
      "the same push to the same token was accepted again within a minute, \(times)"
    case .connectionPerPush: "nearly every push had a connection of its own: \(count) connections"
    case .tooManyProviderTokens: "one key signed \(count) provider tokens within 20 minutes"
    case .staleProviderToken:
      "an expired provider token was sent again after ExpiredProviderToken, \(times)"
    case .accessTokenPerPush: "nearly every message had an access token of its own: \(count) tokens"
    case .staleAccessToken: "an expired access token was sent again after 401, \(times)"
    case .misroutedToken: "a token of the one vendor was sent to the other, \(times)"
    }
  }

  /// What to do about it.
  ///
  /// The first, second and fourth follow Apple's list of refusals that are never to be retried and of
  /// tokens to stop sending to (Apple: Handling notification responses from APNs); pauses are Apple's "retry
  /// with delay" and Firebase's 60 seconds (FCM: error codes, 429); a token "no more than once every 20
  /// minutes" and connections that stay open are Apple's too (Establishing a token-based connection to APNs;
  /// Sending notification requests to APNs); that time-outs double pushes is what senders' bug reports say
  /// (node-apn 492 and 558, pushok 133).
  var fix: String {
    switch self {
    case .retryAfterRefusal:
      "retry only 429 and 5xx, after a pause; anything else stays refused until the push is changed"
    case .sentToDeadToken:
      "delete a token on 410, and on 404 UNREGISTERED, before the next push"
    case .noBackoff:
      "wait as long as Retry-After says, a minute at FCM without it, and longer each time"
    case .duplicatePush:
      "after a time-out the push may have been accepted: send it again only with the same collapse ID, "
        + "or not at all"
    case .connectionPerPush: "keep one HTTP/2 connection open and send all pushes on it"
    case .tooManyProviderTokens:
      "sign one provider token, use it for 20 to 60 minutes and share it between connections"
    case .staleProviderToken:
      "on ExpiredProviderToken sign a new token, on a new connection; and renew it before it is an hour "
        + "old by the clock that APNs has"
    case .accessTokenPerPush: "keep an access token until shortly before it expires"
    case .staleAccessToken: "on 401 get a new access token, and send the message again once"
    case .misroutedToken:
      "store with each token whose it is: hexadecimal tokens are for APNs, those with a colon for FCM"
    }
  }
}
