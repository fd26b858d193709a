/// How Google's side behaves where that can be set.
package struct FCMSettings: Sendable, Equatable {
  /// How long an access token lives from its grant; an hour at Google (measured 2026-09-02).
  package var accessTokenLifetime: Duration = .seconds(3600)

  package init() {}
}
