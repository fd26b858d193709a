/// What one connection has shown so far, as a state machine that does nothing itself.
///
/// Its methods change it and leave behind what the connection has to do; the gateway does it.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and its properties are only read and assigned as wholes.
package final class APNsConnectionState {
  /// The stream limit after the first valid provider token.
  ///
  /// Apple: "APNs allows only one stream until you post a request with a valid authentication
  /// token"; a second SETTINGS with 1000 was seen just before the first 200 (2022).
  package static let authenticatedStreamLimit = 1000

  /// A provider token of this connection was valid, whatever became of its push.
  @exclusivity(unchecked) package private(set) var hasSeenValidToken = false
  /// The stream limit to announce, until it is taken.
  @exclusivity(unchecked) package private(set) var streamLimitChange: Int?
  /// The last provider token that was valid here.
  @exclusivity(unchecked) private(set) var lastToken: ProviderToken?

  package init() {}

  /// The stream limit to announce now, handed out once; nil when nothing is to be done.
  package func takeStreamLimitChange() -> Int? {
    guard let limit = streamLimitChange else { return nil }
    streamLimitChange = nil
    return limit
  }

  /// The last valid provider token, when it has these bytes.
  func lastToken(equalTo bytes: UnsafeBufferPointer<UInt8>) -> ProviderToken? {
    guard let lastToken, lastToken.bytes.withUnsafeBufferPointer({ equalBytes($0, bytes) })
    else { return nil }
    return lastToken
  }

  /// A push came with a valid provider token.
  func accept(_ token: ProviderToken) {
    if lastToken !== token { lastToken = token }
    guard !hasSeenValidToken else { return }
    hasSeenValidToken = true
    streamLimitChange = Self.authenticatedStreamLimit
  }
}
