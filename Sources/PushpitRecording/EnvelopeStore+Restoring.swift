package import PushpitJSON
package import PushpitModel

/// An envelope as a disk has it.
package struct KeptEnvelope: Sendable {
  package var number: EnvelopeNumber
  /// As the journal gave it.
  package var record: [UInt8]
  package var credential: CredentialFacts?
  package var annotation: JSONValue?
  /// In order.
  package var steps: [DeliveryStep]

  /// The number of the connection that it came on.
  package var connection: UInt64 {
    RecordImage(record[...])?.connection ?? 0
  }

  /// Its credential is the one of the batch that it names.
  package init(
    number: EnvelopeNumber, record: [UInt8], credentials: [UInt64: CredentialFacts]
  ) {
    self.number = number
    self.record = record
    credential = RecordImage(record[...]).flatMap { credentials[$0.credential] }
    annotation = nil
    steps = []
  }
}

extension EnvelopeStore {
  /// Records again what a disk has, in the order of the numbers; before anything else is recorded.
  ///
  /// - Returns: False when it cannot be read, and was left out.
  package func restore(_ envelope: KeptEnvelope) -> Bool {
    guard envelope.number >= nextEnvelope, let image = RecordImage(envelope.record[...]) else {
      return false
    }
    let isRestored = restore(
      envelope.number, image, envelope.record[MemoryLayout<RecordImage>.size...],
      credential: envelope.credential,
      annotation: envelope.annotation.map { EnvelopeAnnotation($0) })
    guard isRestored else { return false }
    for step in envelope.steps { noteDelivery(envelope.number, step) }
    return true
  }

  /// The deliveries that wait for a device, by their newest step.
  package func storedDeliveries() -> [(envelope: EnvelopeNumber, device: DeviceID)] {
    var stored: [(envelope: EnvelopeNumber, device: DeviceID)] = []
    forEachSubject(EnvelopeQuery(workspace: nil)) { subject in
      for device in subject.devices {
        let newest = subject.steps.last { $0.device == device }
        if newest?.state == .stored { stored.append((subject.number, device)) }
      }
    }
    return stored.reversed()
  }
}
