package import PushpitModel

/// What one key's provider tokens show of its sender's habits.
package struct ProviderTokenMint: Sendable {
  package let keyID: String
  package let teamID: String
  package let workspace: WorkspaceID
  /// How many different valid tokens were seen since the start.
  package internal(set) var count: UInt64 = 0
  /// The newest of them, oldest first: when each came by the workspace's clock, and on which
  /// connection.
  var newest: [(time: Timestamp, connection: UInt64)] = []

  /// When the newest token came, by the workspace's clock.
  package var lastAt: Timestamp? { newest.last?.time }
}

/// Counts the provider tokens of each key over all connections.
///
/// Apple counts on a connection; but a sender that signs for each connection or push meets
/// TooManyProviderTokenUpdates as soon as it shares one, and an Apple engineer asks to "avoid
/// generating multiple tokens for the same TeamID" (Apple developer forum, thread 702056).
package final class ProviderTokenMints {
  /// More tokens than this of one key within 20 minutes are worth a diagnosis: 5 on one connection
  /// have been seen to pass.
  package static let goodCount = 5
  /// So many of a key's newest tokens are remembered.
  static let newestLimit = 64
  /// At most this many keys are counted; the one added first is forgotten.
  static let keyLimit = 256

  /// What is known of each key, in order of first use.
  package private(set) var keys: [ProviderTokenMint] = []
  /// Keys that were counted once.
  package private(set) var forgottenCount: UInt64 = 0
  private var lastNumber: UInt64 = 0

  /// A valid token was used that is not the connection's last one; counted when it is new.
  func note(
    _ token: ProviderToken, _ connection: APNsConnectionState, workspace: WorkspaceID,
    at time: Timestamp
  ) {
    guard !token.isCounted, let claims = token.claims else { return }
    token.isCounted = true
    if connection.mintNumber == nil {
      lastNumber += 1
      connection.mintNumber = lastNumber
    }
    let index = index(of: claims, workspace)
    keys[index].count += 1
    if keys[index].newest.count == Self.newestLimit { keys[index].newest.removeFirst() }
    keys[index].newest.append((time, connection.mintNumber ?? 0))
  }

  /// Forgets the keys of a workspace.
  func forget(_ workspace: WorkspaceID) {
    keys.removeAll { $0.workspace == workspace }
  }

  /// What is known of a key of a workspace.
  package func key(_ keyID: String, of workspace: WorkspaceID) -> ProviderTokenMint? {
    keys.first { $0.keyID == keyID && $0.workspace == workspace }
  }

  private func index(of claims: ProviderClaims, _ workspace: WorkspaceID) -> Int {
    let known = keys.firstIndex { $0.keyID == claims.keyID && $0.workspace == workspace }
    if let known { return known }
    if keys.count == Self.keyLimit {
      keys.removeFirst()
      forgottenCount += 1
    }
    keys.append(
      ProviderTokenMint(keyID: claims.keyID, teamID: claims.teamID, workspace: workspace))
    return keys.count - 1
  }
}

extension ProviderTokenMint {
  /// The tokens of the 20 minutes that ended with the newest one.
  private var recent: [(time: Timestamp, connection: UInt64)] {
    guard let last = newest.last?.time else { return [] }
    // Not a slice: a clock that was set back leaves later moments among them.
    return newest.filter { $0.time <= last && last - $0.time < ProviderTokenUpdates.period }
  }

  /// How many tokens came in the 20 minutes that ended with the newest one.
  package var recentCount: Int { recent.count }

  /// On how many connections those came.
  package var recentConnectionCount: Int { Set(recent.map(\.connection)).count }

  /// From the first of those to the last.
  package var recentSpan: Duration {
    guard let first = recent.first, let last = recent.last else { return .zero }
    return last.time - first.time
  }

  /// What is wrong with so many tokens; nil when there are few.
  package var diagnosis: Diagnosis? {
    guard recentCount > ProviderTokenMints.goodCount else { return nil }
    return APNsDiagnoses.mintedTooOften(self)
  }
}
