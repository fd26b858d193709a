internal import PushpitAPNs
internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// What the console shows of the gateway, and what it may ask of it.
final class GatewayStatus: ConsoleStatus {
  var isReady = false
  var report: ReadyReport?
  private let core: GatewayCore
  private let server: HTTPServer
  private(set) var state: StateFolder
  /// Nil until the gateway listens.
  var keeper: WorkspaceKeeper?
  var lostData: (batchCount: UInt64, entryCount: UInt64) {
    (keeper?.data?.failedBatchCount ?? 0, keeper?.data?.droppedCount ?? 0)
  }
  var workspaceKeeper: (any ConsoleWorkspaces)? { keeper }

  init(core: GatewayCore, server: HTTPServer, state: StateFolder) {
    self.core = core
    self.server = server
    self.state = state
  }

  var gatewayURL: String { report?.gatewayURL ?? "" }
  var version: String { Gateway.version }
  var connections: [ConnectionEntry] { core.ledger.entries }
  var providerKeys: [ProviderKeyEntry] {
    core.apns.mints.keys.map { key in
      ProviderKeyEntry(
        keyID: key.keyID, teamID: key.teamID, workspace: key.workspace, tokenCount: key.count,
        recentTokenCount: key.recentCount, recentConnectionCount: key.recentConnectionCount,
        lastAt: key.lastAt, diagnosis: key.diagnosis)
    }
  }
  var forgottenConnectionCount: UInt64 { core.ledger.forgottenCount }
  var openConnectionCount: Int { server.statistics.openCount }
  var acceptedConnectionCount: UInt64 { UInt64(server.statistics.acceptedCount) }

  func connection(_ id: UInt64) -> ConnectionEntry? {
    core.ledger.entry(id)
  }

  /// Where it listens and where its files are, for the commands.
  var gateway: JSONValue {
    guard let report, let value = try? JSONReader.parse(report.json) else { return .null }
    return value
  }

  /// Changes what the state folder keeps.
  func changeState<Result>(
    _ change: (inout StateFolder) throws(StateError) -> Result
  ) throws(StateError) -> Result {
    try change(&state)
  }
}
