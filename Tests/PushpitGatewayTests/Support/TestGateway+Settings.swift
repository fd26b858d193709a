import PushpitModel

@testable import PushpitGateway

extension TestGateway {
  /// Changes what the default workspace sets about APNs.
  func set(_ change: @Sendable (inout APNsSettings) -> Void) async {
    await gateway.changeSettings(change)
  }
}

extension Gateway {
  fileprivate func changeSettings(_ change: @Sendable (inout APNsSettings) -> Void) {
    guard let core else { return }
    change(&core.workspaces.default.apns)
  }
}
