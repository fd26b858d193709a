package import PushpitJSON
package import PushpitModel

/// An envelope as a disk has it.
package struct KeptEnvelope: Sendable {
  package var number: EnvelopeNumber
  /// As the journal gave it.
  package var record: [UInt8]
  package var annotation: JSONValue?
  /// In order.
  package var steps: [DeliveryStep]

  /// The number of the connection that it came on.
  package var connection: UInt64 {
    guard record.count >= MemoryLayout<RecordImage>.size else { return 0 }
    return record.withUnsafeBytes { $0.loadUnaligned(as: RecordImage.self).connection }
  }

  package init(
    number: EnvelopeNumber, record: [UInt8], annotation: JSONValue?, steps: [DeliveryStep]
  ) {
    self.number = number
    self.record = record
    self.annotation = annotation
    self.steps = steps
  }
}

extension EnvelopeStore {
  /// Records again what a disk has, in the order of the numbers; before anything else is recorded.
  ///
  /// - Returns: False when it cannot be read, and was left out.
  package func restore(_ envelope: KeptEnvelope, credentials: [UInt64: JSONValue]) -> Bool {
    let imageCount = MemoryLayout<RecordImage>.size
    guard envelope.number >= nextEnvelope, envelope.record.count >= imageCount else { return false }
    let image = envelope.record.withUnsafeBytes { $0.loadUnaligned(as: RecordImage.self) }
    let credential = credentials[image.credential].flatMap(CredentialFacts.read)
    let isRestored = restore(
      envelope.number, image, envelope.record[imageCount...], credential: credential,
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
