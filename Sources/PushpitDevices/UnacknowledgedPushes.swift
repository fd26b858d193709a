internal import PushpitModel

/// The pushes that were sent to a device and that it has not acknowledged, in order.
struct UnacknowledgedPushes {
  /// When so many wait, further pushes are stored as for an offline device.
  static let limit = 1000

  /// The events that brought them.
  private(set) var events: [DeviceEvent] = []

  var count: Int { events.count }
  var isFull: Bool { events.count >= Self.limit }

  /// Adds the event that sent a push.
  mutating func append(_ event: DeviceEvent) {
    events.append(event)
  }

  /// Takes out the pushes of the events up to one.
  mutating func take(upTo id: UInt64) -> [DevicePush] {
    let taken = events.prefix { $0.id <= id }.compactMap(\.push)
    events.removeFirst(taken.count)
    return taken
  }

  /// Takes out the pushes whose time is over.
  mutating func takeExpired(now: Timestamp) -> [DevicePush] {
    let expired = events.compactMap(\.push).filter { $0.isExpired(at: now) }
    if !expired.isEmpty { events.removeAll { $0.push?.isExpired(at: now) ?? false } }
    return expired
  }

  /// When the first of them expires; nil when none does.
  var expiresAt: Timestamp? { events.compactMap { $0.push?.expiresAt }.min() }
}

extension DeviceEvent {
  /// The push that it brought.
  var push: DevicePush? {
    if case .push(let push) = content { push } else { nil }
  }
}
