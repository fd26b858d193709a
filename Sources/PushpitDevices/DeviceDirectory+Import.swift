package import PushpitModel

/// Registration tokens for apps that had only an APNs token (`/iid/v1:batchImport`).
extension DeviceDirectory {
  /// The registration token of the device that has an APNs token, made when the device has none; for
  /// an APNs token of no device a new one.
  ///
  /// Nil when the one that the device has is dead, or of another project (assumed: an app instance of
  /// Firebase is of one project).
  package func importedToken(for apnsToken: TokenRecord?, project: String) -> [UInt8]? {
    guard let device = apnsToken?.owner as? Device else { return TokenMint.fcm(random) }
    if let known = device.fcmToken {
      return known.isActive && isProject(of: known, in: [project]) ? known.token : nil
    }
    let record = registerFCMToken(TokenMint.fcm(random), project: project, of: device)
    device.fcmToken = record
    observer?.deviceChanged(device)
    return record.token
  }
}
