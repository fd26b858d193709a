/// How much of what all workspaces share one may have; nil for as much as there is.
package struct LimitSettings: Sendable, Equatable {
  /// The most that a limit of envelopes can be: more are not kept of all workspaces together.
  package static let envelopeRange = 1...50_000
  /// The most that a limit of devices can be.
  package static let deviceRange = 1...1_000_000

  /// The most envelopes that are kept, give or take a tenth; the oldest go.
  package var envelopes: Int?
  /// The most devices.
  package var devices: Int?

  package init() {}
}
