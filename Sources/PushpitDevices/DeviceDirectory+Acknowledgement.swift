package import PushpitModel

/// Devices that say themselves what has reached them: nothing is lost or doubled when their connection
/// breaks.
///
/// A push is sent, and waits; `delivered` it is when the device acknowledges it. One that has not been
/// is sent again, as the same event, when the connection is opened again.
extension DeviceDirectory {
  /// The device has got its events up to one: those that waited for it are delivered.
  ///
  /// Doing it again changes nothing.
  /// - Throws: that there is no such device, or no such event yet.
  @discardableResult
  package func acknowledge(_ id: DeviceID, upTo event: UInt64) throws(DeviceError) -> Device {
    let device = try found(id)
    guard event <= device.lastEventID else { throw .noEvent(event, newest: device.lastEventID) }
    let now = now(of: device)
    for push in device.unacknowledged.take(upTo: event) {
      land(push, on: device, cause: "the device acknowledged it", now: now)
    }
    // There is room again for what had to be stored.
    deliverStored(to: device, because: "the device has room again", now: now)
    return device
  }

  /// Sends a push that the device has to acknowledge.
  func send(_ push: DevicePush, to device: Device, now: Timestamp) {
    if !push.isReported {
      report(push, on: device, .stored, "sent to the device and not acknowledged", now: now)
    }
    push.isSent = true
    let event = keep(.push(push), on: device, now: now)
    // Before it is sent: the connection may break while it is.
    device.unacknowledged.append(event)
    for stream in device.streams { stream.send(event) }
  }

  /// Delivers what waits for an acknowledgement to a device that gives none any more.
  func deliverUnacknowledged(to device: Device, because cause: String, now: Timestamp) {
    for push in device.unacknowledged.take(upTo: .max) {
      land(push, on: device, cause: cause, now: now)
    }
  }

  /// Drops what waits for an acknowledgement and has expired, when the device is not there to give it.
  func expireUnacknowledged(of device: Device, now: Timestamp) {
    guard device.streams.isEmpty else { return }
    for push in device.unacknowledged.takeExpired(now: now) {
      report(push, on: device, .expired, StorageCause.expired, now: now)
    }
  }
}
