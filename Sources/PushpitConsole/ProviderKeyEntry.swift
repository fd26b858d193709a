package import PushpitJSON
package import PushpitModel
internal import PushpitRecording

/// What the connection ledger knows of one key's provider tokens, over all connections.
package struct ProviderKeyEntry: Sendable {
  package let keyID: String
  package let teamID: String
  package let workspace: WorkspaceID
  /// How many different valid tokens were seen since the start.
  package let tokenCount: UInt64
  /// How many of them in the 20 minutes that ended with the newest.
  package let recentTokenCount: Int
  /// On how many connections those came.
  package let recentConnectionCount: Int
  /// When the newest came, by the workspace's clock.
  package let lastAt: Timestamp?
  /// That there are too many, and what to do.
  package let diagnosis: Diagnosis?

  package init(
    keyID: String, teamID: String, workspace: WorkspaceID, tokenCount: UInt64,
    recentTokenCount: Int, recentConnectionCount: Int, lastAt: Timestamp?, diagnosis: Diagnosis?
  ) {
    self.keyID = keyID
    self.teamID = teamID
    self.workspace = workspace
    self.tokenCount = tokenCount
    self.recentTokenCount = recentTokenCount
    self.recentConnectionCount = recentConnectionCount
    self.lastAt = lastAt
    self.diagnosis = diagnosis
  }

  /// Writes the entry as the console shows it.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("keyID", keyID)
    writer.member("teamID", teamID)
    writer.member("workspace", workspace.rawValue)
    writer.member("providerTokens", tokenCount)
    writer.member("recentProviderTokens", recentTokenCount)
    writer.member("recentConnections", recentConnectionCount)
    writer.memberOrNull("lastAt", lastAt?.rfc3339)
    writer.memberOrNull("diagnosis", diagnosis)
    writer.endObject()
  }
}
