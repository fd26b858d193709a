package import PushpitModel

/// Registration tokens for apps that had only an APNs token (`/iid/v1:batchImport`).
extension DeviceDirectory {
  /// The registration token of the device that has an APNs token, made when the device has none; for
  /// an APNs token of no device a new one.
  package func importedToken(for apnsToken: TokenRecord?, project: String) -> [UInt8] {
    guard let device = apnsToken?.owner as? Device else { return TokenMint.fcm(random) }
    if let known = device.fcmToken { return known.token }
    let record = TokenRecord(
      token: TokenMint.fcm(random), kind: .fcm, workspace: device.workspace, device: device.id,
      project: project, app: device.app, platform: device.platform)
    device.fcmToken = record
    register(record, of: device)
    observer?.deviceChanged(device)
    return record.token
  }
}
