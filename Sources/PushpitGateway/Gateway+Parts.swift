package import PushpitDevices
package import PushpitModel
package import PushpitRecording

/// What a running gateway knows, for tests in the same process.
extension Gateway {
  /// All devices; nil until it has started and when it has stopped.
  package var devices: DeviceDirectory? { hasStopped ? nil : core?.devices }
  /// All envelopes; nil until it has started.
  package var store: EnvelopeStore? { core?.store }
  /// The default workspace's time; nil until it has started.
  package var now: Timestamp? {
    core.map { $0.workspaces.default.time(at: $0.time.now) }
  }
  /// Its certificates and credentials; nil until it has started.
  package var state: StateFolder? { status?.state }

  /// Moves the default workspace's clock; devices do what they waited for.
  /// - Returns: Whether the clock can show that time; nil unless the gateway runs.
  package func advanceClock(by duration: Duration) -> Bool? {
    guard let core, !hasStopped else { return nil }
    return core.devices.changeClock(
      of: core.workspaces.default, .advance(duration), at: core.time.now)
  }
}
