package import PushpitModel

extension DeviceDirectory {
  /// Opens a stream on a device, which is online from then on.
  ///
  /// The receiver gets the events after `position` first, then what was stored, then what happens. Nothing
  /// is replayed without it, but for pushes that were sent and not acknowledged.
  /// - Throws: that there is no such device, or that it has too many streams.
  package func openStream(
    _ id: DeviceID, resumeAfter position: StreamPosition? = nil,
    acknowledgement: Acknowledgement = .automatic, receiver: any DeviceStreamReceiver
  ) throws(DeviceError) -> DeviceSubscription {
    let device = try found(id)
    guard device.streams.count < Device.streamLimit else {
      throw .tooManyStreams(limit: Device.streamLimit)
    }
    let now = now(of: device)
    let wasOnline = device.isOnline
    expireUnacknowledged(of: device, now: now)
    let stream = DeviceSubscription(
      device: id, missedEventCount: position.map(device.missedEventCount) ?? 0,
      acknowledgement: acknowledgement, receiver: receiver, directory: self)
    for event in device.replay(after: position, acknowledgement) { stream.send(event) }
    guard stream.isOpen else { return stream }
    device.streams.append(stream)
    noteConnection(of: device)
    deliverStored(to: device, now: now)
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
    if device.isOnline {
      deliverStored(to: device, now: now(of: device))
    } else {
      // What was not acknowledged is the vendor's again, and may expire.
      awaitExpiry(of: device)
    }
    if device.isOnline != wasOnline { observer?.deviceChanged(device) }
  }
}

extension Device {
  /// What a new stream gets first, in order.
  ///
  /// Where the device acknowledges pushes itself, a position says nothing of them: those that were
  /// acknowledged have arrived, and the others are sent again.
  fileprivate func replay(
    after position: StreamPosition?, _ acknowledgement: Acknowledgement
  ) -> [DeviceEvent] {
    let pending = unacknowledged.events
    guard let position else { return pending }
    let pendingIDs = Set(pending.map(\.id))
    let others = events.filter { event in
      switch position {
      case .event(let id): guard event.id > id else { return false }
      case .order(let order): guard event.order > order else { return false }
      }
      return !pendingIDs.contains(event.id)
        && (acknowledgement == .automatic || event.push == nil)
    }
    return (pending + others).sorted { $0.id < $1.id }
  }

  /// How many of the events after a position are not kept any more; one for an unknown number.
  fileprivate func missedEventCount(after position: StreamPosition) -> Int {
    switch position {
    case .event(let id):
      let firstKept = UInt64(events.evictedCount) + 1
      return id < firstKept ? Int(firstKept - id - 1) : 0
    case .order(let order):
      return evictedOrder > order ? 1 : 0
    }
  }
}
