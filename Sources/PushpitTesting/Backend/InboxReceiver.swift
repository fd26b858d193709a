internal import PushpitDevices
internal import PushpitGateway
internal import PushpitModel

/// Puts what reaches a device into the inboxes.
final class InboxReceiver: DeviceStreamReceiver {
  private let inboxes: Inboxes
  private let device: DeviceID
  /// Weak, because the gateway's device holds this.
  private weak let gateway: Gateway?

  init(_ inboxes: Inboxes, device: DeviceID, gateway: Gateway) {
    self.inboxes = inboxes
    self.device = device
    self.gateway = gateway
  }

  func receive(_ event: DeviceEvent) {
    guard case .push(let push) = event.content, let gateway else { return }
    let number = push.envelope
    let cause = gateway.assumeIsolated { [device] in $0.cause(of: number, on: device) }
    let received = ReceivedPush(push, cause: cause)
    inboxes.assumeIsolated { [device] in $0.take(received, of: device.rawValue) }
  }

  func ended(_ device: DeviceID, _ reason: DeviceStreamEnd) {}
}
