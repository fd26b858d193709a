internal import PushpitJSON
internal import PushpitModel

// Apple: Starting and updating Live Activities with ActivityKit push notifications.
extension APNsLint {
  /// Older than this a `timestamp` is stale: assumed to be longer than any sender's queue, and shorter
  /// than the age of a value copied from an example.
  static let staleAfter: Duration = .seconds(300)
  /// Further ahead than this it is not in seconds.
  static let aheadLimit: Duration = .seconds(86_400)

  mutating func checkLiveActivity() {
    checkEvent()
    checkTimestamp()
    let event = aps["event"]?.stringValue
    if event == "start" || event == "update", !has("content-state") {
      warn(
        .liveActivityContentState, at: "/aps/content-state", expected: "object",
        "the \(event ?? "") has no content-state, so the activity has nothing to show")
    }
    guard event == "start" else { return }
    for key in ["alert", "attributes", "attributes-type"] where !has(key) {
      warn(
        .liveActivityStart, at: "/aps/" + key,
        expected: APNsPayloadKeys.aps.types[key]?.text ?? "",
        "the start has no \(key), so no Live Activity appears")
    }
  }

  private mutating func checkEvent() {
    let expected = "start, update or end"
    guard has("event") else {
      let hasPlural = has("events")
      return warn(
        .liveActivityEvent, at: hasPlural ? "/aps/events" : "/aps/event", expected: "event",
        found: hasPlural ? "events" : "",
        hasPlural
          ? "the key is event, not events" : "a Live Activity's payload has event: \(expected)")
    }
    guard let event = aps["event"]?.stringValue, !["start", "update", "end"].contains(event)
    else { return }
    warn(
      .liveActivityEvent, at: "/aps/event", expected: expected, found: event,
      "a Live Activity knows no event of this name")
  }

  /// The system renders the newest content by `timestamp`, and drops what is older.
  private mutating func checkTimestamp() {
    let now = Double(push.receivedAt.milliseconds) / 1000
    let expected = "seconds since 1970, now \(push.receivedAt.seconds)"
    guard has("timestamp") else {
      return warn(
        .liveActivityTimestamp, at: "/aps/timestamp", expected: expected,
        "a Live Activity's payload has the time of its content in timestamp")
    }
    guard let timestamp = aps["timestamp"]?.doubleValue else { return }
    if timestamp < now - Double(Self.staleAfter.components.seconds) {
      warn(
        .liveActivityTimestamp, at: "/aps/timestamp", expected: expected, found: found("timestamp"),
        "timestamp is older than \(Self.staleAfter.components.seconds / 60) minutes; a device drops "
          + "content that is older than what it has")
    } else if timestamp > now + Double(Self.aheadLimit.components.seconds) {
      warn(
        .liveActivityTimestamp, at: "/aps/timestamp", expected: expected, found: found("timestamp"),
        "timestamp is far ahead, as milliseconds are; later pushes in seconds would be dropped")
    }
  }
}
