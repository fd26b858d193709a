package import PushpitModel

extension DeviceDirectory {
  /// Opens a stream on a device, which is online from then on.
  ///
  /// The receiver gets the events after `resumeAfter` first, then what was stored, then what
  /// happens. Nothing is replayed without it.
  /// - Throws: that there is no such device, or that it has too many streams.
  package func openStream(
    _ id: DeviceID, resumeAfter: UInt64? = nil, receiver: any DeviceStreamReceiver
  ) throws(DeviceError) -> DeviceSubscription {
    let device = try found(id)
    guard device.streams.count < Device.streamLimit else {
      throw .tooManyStreams(limit: Device.streamLimit)
    }
    let wasOnline = device.isOnline
    let missed = resumeAfter.map { resume -> Int in
      let firstKept = UInt64(device.events.evictedCount) + 1
      return resume < firstKept ? Int(firstKept - resume - 1) : 0
    }
    let stream = DeviceSubscription(
      device: id, missedEventCount: missed ?? 0, receiver: receiver, directory: self)
    if let resumeAfter {
      for event in device.events where event.id > resumeAfter { stream.send(event) }
    }
    guard stream.isOpen else { return stream }
    device.streams.append(stream)
    noteConnection(of: device)
    deliverStored(to: device, now: now(of: device))
    if device.isOnline != wasOnline { observer?.deviceChanged(device) }
    return stream
  }

  /// A receiver closed its stream; the device goes offline with its last one.
  func streamClosed(_ stream: DeviceSubscription) {
    guard let device = device(stream.device),
      let index = device.streams.firstIndex(where: { $0 === stream })
    else { return }
    let wasOnline = device.isOnline
    device.streams.remove(at: index)
    noteConnection(of: device)
    if device.isOnline != wasOnline { observer?.deviceChanged(device) }
  }
}
