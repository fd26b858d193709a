package import PushpitModel

/// How tokens change and age.
extension DeviceDirectory {
  /// Gives the app a new token for the one of this name, or for the device's main one.
  ///
  /// The old one is dead from then on. The topics of a registration token go over to the new one, which
  /// is assumed: they belong to the app's installation, and that stays. A device group does not know the
  /// new one (Google: the sender adds it).
  /// - Throws: that there is no such device or token, or no app.
  @discardableResult
  package func rotateToken(
    _ id: DeviceID, _ name: TokenName? = nil
  ) throws(DeviceError) -> Device {
    let device = try found(id)
    guard device.isInstalled else { throw .notInstalled }
    guard device.tokensReadyAt == nil else { throw .tokenNotReady }
    let name = name ?? device.mainTokenName
    guard let old = device.token(name) else { throw .noToken(name) }
    renew(old, name, of: device, keepsTopics: true, now: now(of: device))
    observer?.deviceChanged(device)
    callBackAtRotation(device, of: name)
    return device
  }

  /// The owner installs the app again, or for the first time after an uninstall: every token that the
  /// app had is dead, and there is a new one for it, without topics.
  /// - Throws: that there is no such device.
  @discardableResult
  package func reinstall(_ id: DeviceID) throws(DeviceError) -> Device {
    let device = try uninstall(id)
    let now = now(of: device)
    device.isInstalled = true
    emit(.reinstalled, on: device, now: now)
    waitForTokens(device, now: now)
    for name in [.fcm] + DeviceTokenKind.allCases.map(TokenName.apns) {
      // Live Activities have ended with the app.
      guard name != .apns(.liveactivity), let old = device.token(name) else { continue }
      renew(old, name, of: device, keepsTopics: false, now: now)
    }
    observer?.deviceChanged(device)
    callBackAtLaunch(device)
    return device
  }

  /// The app's user logs out, and the app says so to its provider: the tokens live on, and a push to
  /// one of them is worth a warning until the app has a new one.
  /// - Throws: that there is no such device, or no app.
  @discardableResult
  package func clearTokens(_ id: DeviceID) throws(DeviceError) -> Device {
    let device = try found(id)
    guard device.isInstalled else { throw .notInstalled }
    for record in device.tokens where record.state == .active { record.isCleared = true }
    observer?.deviceChanged(device)
    callBackAtLogout(device)
    return device
  }

  /// Gives the app a new token in place of an old one, which is dead.
  private func renew(
    _ old: TokenRecord, _ name: TokenName, of device: Device, keepsTopics: Bool, now: Timestamp
  ) {
    let new: TokenRecord
    switch name {
    case .fcm:
      new = registerFCMToken(TokenMint.fcm(random), project: old.project, of: device)
      if keepsTopics {
        device.home.topics.move(old.token, to: new.token, in: old.topicProject(of: ""))
      }
      device.home.leaveTopicsAndGroups(old)
      device.fcmToken = new
    case .apns(let kind):
      new = registerDeviceToken(TokenMint.apns(random, kind), kind, of: device)
      replace(old, by: new, on: device)
    }
    // One that has expired, or died with the app, stays so.
    if old.state == .active { old.state = .rotated(at: now) }
    keepFormer(old, of: device)
    if device.tokensReadyAt == nil { emit(.tokenRotated(name, new), on: device, now: now) }
  }

  /// Puts a device token where an old one was.
  private func replace(_ old: TokenRecord, by new: TokenRecord, on device: Device) {
    if device.apnsToken === old {
      device.apnsToken = new
      device.fcmToken?.apnsToken = new
    }
    for index in device.furtherTokens.indices where device.furtherTokens[index] === old {
      device.furtherTokens[index] = new
    }
    for index in device.activities.indices where device.activities[index].token === old {
      device.activities[index].token = new
      // What was accepted for the old one is still for the activity.
      if let stored = device.apnsStorage.push, stored.activityToken === old {
        stored.activityToken = new
      }
    }
  }

  private func keepFormer(_ record: TokenRecord, of device: Device) {
    if device.formerTokens.count == Device.formerTokenLimit {
      let oldest = device.formerTokens.removeFirst()
      tokens.remove(oldest.token)
      oldest.owner = nil
    }
    device.formerTokens.append(record)
  }

  /// Notes since when a device is disconnected, after it may have come or gone.
  func noteConnection(of device: Device) {
    guard let record = device.fcmToken else { return }
    if device.isOnline {
      expireIfInactive(record, of: device)
      record.disconnectedAt = nil
    } else if record.disconnectedAt == nil {
      record.disconnectedAt = now(of: device)
    }
  }

  /// Lets a registration token expire whose device was away for too long.
  func expireIfInactive(_ record: TokenRecord, of device: Device) {
    if record.expireIfInactive(at: now(of: device)) { device.home.leaveTopicsAndGroups(record) }
  }
}
