internal import PushpitJSON
package import PushpitModel

/// How an app comes to know its tokens: at its launch, or after the device's `tokenDelay`.
///
/// Flutter's `getAPNSToken()` is null that long. The tokens are there all the while, so that a push
/// to one of them behaves as usual.
extension DeviceDirectory {
  /// Begins the wait of an app that is launched, where there is a delay.
  func waitForTokens(_ device: Device, now: Timestamp) {
    guard let delay = device.tokenDelay else { return }
    let readyAt = now + delay
    device.tokensReadyAt = readyAt
    setAlarm(.tokenReady, at: readyAt, of: device)
  }

  /// Ends the wait of an app that is gone.
  func stopWaiting(_ device: Device) {
    device.tokensReadyAt = nil
    cancelAlarm(.tokenReady, of: device)
  }

  /// Tells an app the tokens that it waited for.
  func tellTokens(to device: Device, now: Timestamp) {
    device.tokensReadyAt = nil
    for name in TokenName.ofLaunch {
      if let record = device.token(name) { emit(.tokenReady(name, record), on: device, now: now) }
    }
    observer?.deviceChanged(device)
    callBackAtLaunch(device)
  }
}

extension TokenName {
  /// The tokens that an app gets at its launch: all but those of Live Activities.
  static let ofLaunch = [.fcm] + DeviceTokenKind.allCases.filter { $0 != .liveactivity }.map(apns)
}

extension Device {
  /// The token of a name as far as the app was told it.
  package func toldToken(_ name: TokenName) -> TokenRecord? {
    tokensReadyAt != nil && name != .apns(.liveactivity) ? nil : token(name)
  }
}

extension InputReader {
  /// `tokenDelay`: a duration up to `Device.tokenDelayLimit`.
  mutating func tokenDelay() -> Duration? {
    let key = "tokenDelay"
    guard let value = value(key) else { return nil }
    guard let delay = value.stringValue.flatMap(DurationText.parse),
      delay <= Device.tokenDelayLimit
    else {
      let limit = DurationText.write(Device.tokenDelayLimit)
      report(key, "expected a duration like \(DurationText.examples), at most \(limit)")
      return nil
    }
    return delay > .zero ? delay : nil
  }
}
