import PushpitJSON
import PushpitModel

extension FanOut {
  /// Brings a message to many, each platform its own part of it.
  convenience init(
    _ message: FCMMessage, to recipients: Recipients, from account: ServiceAccount,
    relay: @escaping Relay
  ) {
    let package = message.android?.config["restricted_package_name"]?.stringValue
    self.init(
      recipients: recipients, projects: [account.projectID, account.projectNumber],
      restrictedPackageName: package?.isEmpty == true ? nil : package,
      android: Message(.android(message)), web: Message(.web(message)), relay: relay)
  }
}

extension FanOut.Message {
  fileprivate init(_ part: DeviceMessage) {
    self.init(
      payload: part.payload, collapse: part.collapse, collapsesByApp: part.collapsesByApp,
      timeToLive: part.timeToLive, manner: PushManner(isUrgent: part.isUrgent))
  }
}
