package import PushpitModel

/// What an event is about: a reference, from which JSON is made when it is sent.
package enum EventSubject: Sendable, Equatable {
  /// An envelope was recorded.
  case envelope(EnvelopeNumber)
  /// An envelope took a step on a device.
  case delivery(EnvelopeNumber, DeliveryStep)
  /// A device was made, changed or removed.
  case device(DeviceID)
  /// A fault was armed, fired or disarmed.
  case fault(String)
  /// A connection was opened or closed.
  case connection(UInt64)
  /// Something to know about the stream of events itself or the gateway.
  case notice(code: String, text: String)

  /// The event's name on the wire.
  package var kind: EventKind {
    switch self {
    case .envelope: .envelope
    case .delivery: .delivery
    case .device: .device
    case .fault: .fault
    case .connection: .connection
    case .notice: .notice
    }
  }
}

/// The kinds of events, as the console spells them.
package enum EventKind: String, Sendable, CaseIterable {
  case envelope, delivery, device, fault, connection, notice
}

/// One event, numbered in the order in which things happened in this process.
package struct Event: Sendable, Equatable {
  package let id: UInt64
  package let subject: EventSubject
  /// Nil when it concerns no workspace: connections and notices.
  package let workspace: WorkspaceID?
  package let at: Timestamp

  package init(
    id: UInt64, subject: consuming EventSubject, workspace: consuming WorkspaceID?, at: Timestamp
  ) {
    self.id = id
    self.subject = subject
    self.workspace = workspace
    self.at = at
  }
}
