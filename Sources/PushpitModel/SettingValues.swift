/// Everything that a workspace may set, as values that are changed together or not at all.
package struct SettingValues: Sendable {
  package var policies = Policies()
  package var apns = APNsSettings()
  package var fcm = FCMSettings()
  package var delivery = DeliverySettings()
  package var contract = ContractSettings()
  package var limits = LimitSettings()

  /// Their defaults.
  package init() {}

  package init(of workspace: Workspace) {
    policies = workspace.policies
    apns = workspace.apns
    fcm = workspace.fcm
    delivery = workspace.delivery
    contract = workspace.contract
    limits = workspace.limits
  }

  /// Makes them those of a workspace, from the next request on.
  package func apply(to workspace: Workspace) {
    workspace.policies = policies
    workspace.apns = apns
    workspace.fcm = fcm
    workspace.delivery = delivery
    workspace.contract = contract
    workspace.limits = limits
  }
}
