package import PushpitJSON

/// What the console shows of the gateway around it; the gateway implements it.
package protocol ConsoleStatus: AnyObject {
  /// Whether every listener accepts.
  var isReady: Bool { get }
  /// Where it listens and where its files are: the ready file's object, for the commands.
  var gateway: JSONValue { get }
  /// Where senders push to, `https://localhost:2197`.
  var gatewayURL: String { get }
  /// `pushpit version`'s text.
  var version: String { get }
  /// The connections that are remembered, newest first.
  var connections: [ConnectionEntry] { get }
  /// The keys that signed provider tokens, in order of their first use.
  var providerKeys: [ProviderKeyEntry] { get }
  /// Connections that were remembered once.
  var forgottenConnectionCount: UInt64 { get }
  /// One connection that is remembered.
  func connection(_ id: UInt64) -> ConnectionEntry?
  var openConnectionCount: Int { get }
  /// Connections accepted since the start.
  var acceptedConnectionCount: UInt64 { get }
  /// What the file of `--data` could not be told: whole batches that were not written, and entries that
  /// were dropped because the disk was too slow.
  var lostData: (batchCount: UInt64, entryCount: UInt64) { get }
  /// Makes and removes workspaces; nil until the gateway listens.
  var workspaceKeeper: (any ConsoleWorkspaces)? { get }
}

/// A timer that was started.
package protocol ConsoleTimer: AnyObject {
  /// It will not fire any more.
  func cancel()
}

/// Starts timers on the loop, for heartbeats and for streams that end by themselves.
package protocol ConsoleTimers: AnyObject {
  /// Calls the action once, this long from now in real time, unless the timer is cancelled first.
  ///
  /// Whoever implements it keeps the timer until it has fired or was cancelled.
  func after(_ delay: Duration, _ action: @escaping () -> Void) -> any ConsoleTimer
}
