internal import PushpitHTTPTypes
package import PushpitJSON
internal import PushpitModel

/// What happened to what is kept since it was last taken, as bytes, for somebody who writes it to a disk.
///
/// A push costs one copy of its record. When whoever takes the bytes is too slow, entries are dropped and
/// counted: the loop never waits. Owned by the loop.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change of the bytes calls nothing.
package final class RecordJournal {
  /// At most this many bytes wait to be taken.
  package let byteLimit: Int
  /// Called when there is something to take, once before each `take()`.
  package var whenFilled: (() -> Void)?
  /// Entries that were dropped because too many waited.
  package private(set) var droppedCount: UInt64 = 0

  /// No more memory than this is kept for the next batch.
  ///
  /// It is more than eight connections at full speed need (measured); what is not kept is faulted in anew
  /// for each batch, a twentieth of what a push costs.
  static let keptCapacityLimit = 48 << 20

  @exclusivity(unchecked) private var bytes: [UInt8] = []
  private var spare: [UInt8] = []
  @exclusivity(unchecked) private var lastCredential: CredentialFacts?
  @exclusivity(unchecked) private var lastCredentialNumber: UInt64 = 0
  /// Those of the batch that is being gathered: each says the credentials that it names, and takes them along
  /// when it goes.
  private var credentialNumbers: [String: UInt64] = [:]
  @exclusivity(unchecked) private var evictedBefore: EnvelopeNumber = 0

  package init(byteLimit: Int = 64 << 20) {
    self.byteLimit = byteLimit
  }

  /// Everything since the last time, oldest first.
  package func take() -> [UInt8] {
    if evictedBefore > 0 {
      let before = evictedBefore
      evictedBefore = 0
      write(.evicted, byteCount: 8) { $0.append(before) }
    }
    credentialNumbers.removeAll(keepingCapacity: true)
    lastCredential = nil
    let taken = bytes
    bytes = spare
    spare = []
    return taken
  }

  /// Gives back the memory of a batch that was written, for one of the next.
  package func reuse(_ batch: consuming [UInt8]) {
    guard batch.capacity <= Self.keptCapacityLimit else { return }
    batch.removeAll(keepingCapacity: true)
    if spare.capacity < batch.capacity { spare = batch }
  }

  /// Something of a kind is so from now on; nil when it is gone.
  package func put(_ value: JSONValue?, kind: String, id: String) {
    let json = value?.serialized() ?? []
    let mark = value == nil ? JournalMark.thingGone : .thing
    let byteCount = 4 + kind.utf8.count + id.utf8.count + json.count
    write(mark, byteCount: byteCount) { out in
      out.append(text: kind)
      out.append(text: id)
      out.bytes.append(contentsOf: json)
    }
  }

  func noteEnvelope(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, _ content: UnsafeRawBufferPointer
  ) {
    let image = RecordImage(record, credential: self.number(of: record.credential))
    let imageCount = MemoryLayout<RecordImage>.size
    write(.envelope, byteCount: 8 + imageCount + content.count) { out in
      out.append(number)
      withUnsafeBytes(of: image) { image in
        out.append(UnsafeRawBufferPointer(rebasing: image.prefix(imageCount)))
      }
      out.append(content)
    }
  }

  func noteAnnotation(_ number: EnvelopeNumber, _ annotation: EnvelopeAnnotation) {
    let json = annotation.json.serialized()
    write(.annotation, byteCount: 8 + json.count) { out in
      out.append(number)
      out.bytes.append(contentsOf: json)
    }
  }

  func noteStep(_ number: EnvelopeNumber, _ step: DeliveryStep) {
    let (device, cause) = (step.device.rawValue, step.cause)
    let byteCount = 8 + 9 + 4 + device.utf8.count + cause.utf8.count
    write(.step, byteCount: byteCount) { out in
      out.append(number)
      out.bytes.append(UInt8(step.state.index))
      out.append(step.at.milliseconds)
      out.append(text: device)
      out.append(text: cause)
    }
  }

  func noteRemoval(_ number: EnvelopeNumber) {
    write(.removed, byteCount: 8) { $0.append(number) }
  }

  /// Envelopes before this one are forgotten; said once in each batch.
  func noteEviction(before number: EnvelopeNumber) {
    evictedBefore = number
  }

  /// The number of a credential within the batch, which says it when it is new there.
  private func number(of credential: CredentialFacts?) -> UInt64 {
    guard let credential else { return 0 }
    if credential === lastCredential { return lastCredentialNumber }
    lastCredential = credential
    // Equal credentials can be judged in two ways, by what the gateway knew then.
    let key = credential.kind.rawValue + credential.fingerprint
    if let known = credentialNumbers[key] {
      lastCredentialNumber = known
      return known
    }
    let number = UInt64(credentialNumbers.count) + 1
    let json = credential.json.serialized()
    let isWritten = write(.credential, byteCount: 8 + json.count) { out in
      out.append(number)
      out.bytes.append(contentsOf: json)
    }
    if isWritten { credentialNumbers[key] = number }
    lastCredentialNumber = isWritten ? number : 0
    return lastCredentialNumber
  }

  @discardableResult
  private func write(
    _ mark: JournalMark, byteCount: Int, _ body: (inout JournalWriter) -> Void
  ) -> Bool {
    guard bytes.count + byteCount <= byteLimit else {
      droppedCount += 1
      return false
    }
    let isFirst = bytes.isEmpty
    var writer = JournalWriter()
    swap(&writer.bytes, &bytes)
    writer.bytes.append(mark.rawValue)
    writer.append(UInt32(truncatingIfNeeded: byteCount))
    body(&writer)
    swap(&writer.bytes, &bytes)
    if isFirst { whenFilled?() }
    return true
  }
}

/// Writes numbers and texts to the bytes of a journal.
private struct JournalWriter {
  var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    // Bound to bytes: a raw buffer is appended one by one.
    withUnsafeBytes(of: value) {
      $0.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
    }
  }

  mutating func append(_ raw: UnsafeRawBufferPointer) {
    raw.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
  }

  /// A text of at most 64 KiB, with its length before it.
  mutating func append(text: String) {
    var text = text
    text.withUTF8 { utf8 in
      append(UInt16(truncatingIfNeeded: utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }
}
