internal import PushpitJSON
internal import PushpitModel

/// What an expectation has seen so far.
///
/// What has matched once counts, whatever becomes of it later.
final class ExpectationTally {
  /// Of so many of the newest envelopes it is found out how they differ.
  static let candidateLimit = 200

  /// An envelope, or a device's part of one.
  private struct Key: Hashable {
    let envelope: EnvelopeNumber
    let device: DeviceID?
  }

  let expectation: PushExpectation
  private let store: EnvelopeStore
  private let analyses: SenderAnalyses
  private let dependsOnDeliveries: Bool
  private var matched: Set<Key> = []
  /// What was accepted and does not match, where that is forbidden.
  private var strangers: Set<Key> = []

  /// Of what an analysis gives, what matches now.
  private var senderItems: [SenderItem] = []

  init(_ expectation: PushExpectation, store: EnvelopeStore, analyses: SenderAnalyses) {
    self.expectation = expectation
    self.store = store
    self.analyses = analyses
    dependsOnDeliveries = expectation.dependsOnDeliveries
  }

  /// Whether nothing that can still come would change the outcome.
  var isDecided: Bool {
    if expectation.count.isExceeded(by: count) { return true }
    if !strangers.isEmpty, !dependsOnDeliveries || expectation.subject == .deliveries {
      return true
    }
    return !expectation.isHeldToTheEnd && expectation.count.allows(count)
  }

  /// How many have matched.
  private var count: Int {
    expectation.subject.isOfSenders ? senderItems.count : matched.count
  }

  /// Whether an event may matter to it.
  func wants(_ event: Event) -> Bool {
    if let workspace = expectation.workspace, event.workspace != workspace { return false }
    return switch event.subject {
    case .envelope: expectation.subject != .deliveries
    case .delivery: dependsOnDeliveries
    case .device, .fault, .connection, .notice: false
    }
  }

  /// Looks at everything that is recorded.
  func takeAll() {
    if expectation.subject.isOfSenders { return analyze() }
    let wanted =
      expectation.isStrict
      ? EnvelopeQuery(unfilteredOf: expectation) : EnvelopeQuery(of: expectation)
    store.forEachSubject(wanted) { take($0, device: nil) }
  }

  /// Looks at an envelope that is new, or with which a device did something.
  func take(_ envelope: RecordSubject, device: DeviceID?) {
    guard isInRange(envelope) else { return }
    switch expectation.subject {
    case .connections, .findings, .providerTokens: analyze()
    case .envelopes: take(envelope, Key(envelope: envelope.number, device: nil), envelope)
    case .deliveries:
      for other in envelope.devices where device == nil || other == device {
        take(
          DeliverySubject(envelope: envelope, device: other),
          Key(envelope: envelope.number, device: other), envelope)
      }
    }
  }

  private func analyze() {
    guard let workspace = expectation.workspace else { return }
    let items = SenderItem.all(expectation.subject, of: analyses.upToDate(workspace))
    senderItems = items.filter { $0.matches(expectation.matcher) }
  }

  private func take(_ subject: some MatchSubject, _ key: Key, _ envelope: RecordSubject) {
    guard !matched.contains(key) else { return }
    if expectation.matcher.matches(subject) {
      matched.insert(key)
      strangers.remove(key)
    } else if expectation.isStrict, envelope.isAccepted, envelope.record.service.isOfPushes {
      strangers.insert(key)
    }
  }

  private func isInRange(_ envelope: RecordSubject) -> Bool {
    if let after = expectation.after, envelope.number <= after { return false }
    if let since = expectation.since, envelope.record.receivedAt < since { return false }
    return true
  }

  /// What has become of it.
  var outcome: ExpectationOutcome {
    let isMet = expectation.count.allows(count) && strangers.isEmpty
    let isOfSenders = expectation.subject.isOfSenders
    return ExpectationOutcome(
      expectation: expectation, isMet: isMet, count: count,
      matches: isOfSenders
        ? senderItems.prefix(ExpectationOutcome.matchLimit).map(\.json) : oldest.compactMap(json),
      nearMisses: isMet || isOfSenders ? [] : nearMisses(), strangerCount: strangers.count)
  }

  /// The oldest that matched, to be told of.
  private var oldest: some Sequence<Key> {
    matched.sorted { one, other in
      one.envelope == other.envelope
        ? one.device?.rawValue ?? "" < other.device?.rawValue ?? "" : one.envelope < other.envelope
    }.prefix(ExpectationOutcome.matchLimit)
  }

  private func json(_ key: Key) -> [UInt8]? {
    guard let envelope = store.envelope(key.envelope) else { return nil }
    var writer = JSONWriter(style: .compact)
    if let device = key.device {
      guard let delivery = envelope.deliveries.first(where: { $0.device == device }) else {
        return nil
      }
      writer.beginObject()
      writer.key("delivery")
      delivery.json(into: &writer)
      writer.key("envelope")
      envelope.json(into: &writer)
      writer.endObject()
    } else {
      envelope.json(into: &writer)
    }
    return writer.bytes
  }

  /// What did not match, the nearest first and of equal ones the newest.
  private func nearMisses() -> [ExpectationOutcome.NearMiss] {
    var misses: [(key: Key, differences: [Matcher.Difference])] = []
    var count = 0
    store.forEachSubject(EnvelopeQuery(unfilteredOf: expectation)) { envelope in
      guard count < Self.candidateLimit, isInRange(envelope), mayBeNear(envelope) else { return }
      count += 1
      misses += differences(of: envelope)
    }
    let sorted = misses.enumerated().sorted { one, other in
      let (left, right) = (one.element.differences.count, other.element.differences.count)
      return left == right ? one.offset < other.offset : left < right
    }
    return sorted.prefix(ExpectationOutcome.nearMissLimit).compactMap { entry in
      store.envelope(entry.element.key.envelope).map {
        ExpectationOutcome.NearMiss(
          envelope: $0, device: entry.element.key.device, differences: entry.element.differences)
      }
    }
  }

  /// What gave out tokens is near only where it is asked for.
  private func mayBeNear(_ envelope: RecordSubject) -> Bool {
    envelope.record.service.isOfPushes
      || expectation.matcher.rules.contains { $0.field == "service" }
  }

  private func differences(
    of envelope: RecordSubject
  ) -> [(key: Key, differences: [Matcher.Difference])] {
    let number = envelope.number
    let matcher = expectation.matcher
    // An envelope that reached no device has no delivery, and may be just what was waited for.
    guard expectation.subject == .deliveries, !envelope.steps.isEmpty else {
      let key = Key(envelope: number, device: nil)
      return matched.contains(key) ? [] : [(key, matcher.differences(envelope))]
    }
    return envelope.devices.compactMap { device in
      let key = Key(envelope: number, device: device)
      if matched.contains(key) { return nil }
      return (key, matcher.differences(DeliverySubject(envelope: envelope, device: device)))
    }
  }
}

extension PushService {
  /// Whether it is one that pushes are sent to; the others give out tokens and subscribe to topics.
  fileprivate var isOfPushes: Bool {
    switch self {
    case .apns, .fcm, .unknown: true
    case .iid, .oauth: false
    }
  }
}
