internal import PushpitModel

/// What apps report to their provider: made here, sent by whoever observes the directory.
extension DeviceDirectory {
  /// Reports something of a device where its callbacks say so.
  ///
  /// What cannot be made into a request is in the device's history, as a try that failed.
  package func callBack(
    _ kind: CallbackKind, on device: Device, deliveryID: String? = nil, messageID: String? = nil
  ) {
    guard let template = device.callbacks.template(kind) else { return }
    let name = device.callbacks.registers?.name ?? device.mainTokenName
    do throws(CallbackFault) {
      if kind == .register, device.token(name) == nil {
        throw CallbackFault("the app has no token \(name.text) to register")
      }
      if device.toldToken(name) == nil, template.mentions(.token) {
        throw CallbackFault("the app was not told its token \(name.text) yet")
      }
      let values = CallbackValues(
        token: device.toldToken(name)?.text ?? "", platform: device.platform.rawValue,
        app: device.app, device: device.id.rawValue, deliveryID: deliveryID ?? "",
        messageID: messageID ?? "")
      observer?.callBack(try template.request(kind, device, values))
    } catch {
      note(kind, template.url.source, CallbackOutcome(number: 1, error: error.detail), on: device)
    }
  }

  /// Reports the token of an app that was launched, unless it waits for it.
  func callBackAtLaunch(_ device: Device) {
    if device.isInstalled, device.tokensReadyAt == nil { callBack(.register, on: device) }
  }

  /// Reports the new token of an app, when it is the one that it reports.
  func callBackAtRotation(_ device: Device, of name: TokenName) {
    let reported = device.callbacks.registers?.name ?? device.mainTokenName
    if name == reported { callBack(.register, on: device) }
  }

  /// Reports that the app's user logged out; an app that never knew its token has nothing to clear.
  func callBackAtLogout(_ device: Device) {
    if device.tokensReadyAt == nil { callBack(.clear, on: device) }
  }

  /// Notes what came of a try to send a callback.
  package func note(_ outcome: CallbackOutcome, of request: CallbackRequest) {
    guard let device = device(request.device) else { return }
    note(request.kind, request.url, outcome, on: device)
  }

  private func note(
    _ kind: CallbackKind, _ url: String, _ outcome: CallbackOutcome, on device: Device
  ) {
    let now = now(of: device)
    let attempt = CallbackTry(at: now, kind: kind, url: url, outcome: outcome)
    device.history.append(attempt)
    emit(.callback(attempt), on: device, now: now)
    observer?.deviceChanged(device)
  }
}
