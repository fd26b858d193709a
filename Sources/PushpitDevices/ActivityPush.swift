internal import PushpitJSON
internal import PushpitModel

/// What the `aps` of a Live Activity's push says (Apple: Starting and updating Live Activities with
/// ActivityKit push notifications).
struct ActivityPush {
  enum Event: String {
    case start, update, end
  }

  let event: Event
  /// Seconds since 1970, only ever compared with another.
  let timestamp: Double
  let contentState: JSONValue?
  /// By the workspace's clock, as `dismissalDate`.
  let staleDate: Timestamp?
  let dismissalDate: Timestamp?
  let attributesType: String?
  let attributes: JSONValue?
  /// `input-push-channel`: the channel that the new activity is updated over.
  let channel: String?
  /// `input-push-token: 1`.
  private let asksForToken: Bool
  private let hasAlert: Bool

  /// Reads a push's payload, its dates by the lead that the workspace's clock had when it came.
  ///
  /// That a device drops a push without a known `event` or without `timestamp` is assumed: the page
  /// has both in every payload, and the system orders pushes by the latter.
  /// - Throws: why the device drops it.
  init(_ push: DevicePush) throws(DropCause) {
    let root = try? JSONReader.parse(push.payload)
    guard let aps = root?["aps"]?.objectValue else { throw DropCause("the payload has no aps") }
    guard let event = aps["event"]?.stringValue.flatMap(Event.init) else {
      throw DropCause("its event is not start, update or end")
    }
    guard let timestamp = aps["timestamp"]?.doubleValue else {
      throw DropCause("it has no timestamp")
    }
    self.event = event
    self.timestamp = timestamp
    contentState = aps["content-state"].flatMap { $0.objectValue == nil ? nil : $0 }
    staleDate = Self.moment(aps["stale-date"], lead: push.clockLead)
    dismissalDate = Self.moment(aps["dismissal-date"], lead: push.clockLead)
    attributesType = aps["attributes-type"]?.stringValue
    attributes = aps["attributes"].flatMap { $0.objectValue == nil ? nil : $0 }
    channel = aps["input-push-channel"]?.stringValue
    asksForToken = aps["input-push-token"]?.doubleValue == 1
    hasAlert = aps["alert"].map { $0 != .null } ?? false
  }

  /// Whether the activity that it starts gets an update token.
  ///
  /// It does when it asks for one (iOS 18), and also when it asks for nothing, as before iOS 18; with
  /// a channel alone it is updated over the channel. The default is assumed: a test that starts an
  /// activity wants to update it.
  var givesToken: Bool { asksForToken || channel == nil }

  /// Checks that a new activity can be made of it: the page requires all four of a start, and no
  /// activity appears without them.
  func checkStart() throws(DropCause) {
    guard event == .start else {
      throw DropCause("a push-to-start token takes start; \(event) goes to an update token")
    }
    let parts = [
      ("attributes-type", attributesType != nil), ("attributes", attributes != nil),
      ("content-state", contentState != nil), ("alert", hasAlert),
    ]
    if let missing = parts.first(where: { !$0.1 }) {
      throw DropCause("the start has no \(missing.0)")
    }
  }

  /// A time in seconds since 1970, moved by the lead and cut to the years that can be written.
  private static func moment(_ value: JSONValue?, lead: Int64) -> Timestamp? {
    guard let seconds = value?.doubleValue else { return nil }
    let milliseconds = seconds * 1000 + Double(lead)
    let range = WorkspaceClock.writable
    return Timestamp(
      milliseconds: Int64(
        min(
          max(milliseconds, Double(range.lowerBound.milliseconds)),
          Double(range.upperBound.milliseconds))))
  }
}
