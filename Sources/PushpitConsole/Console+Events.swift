internal import PushpitDevices
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /events`.
  func streamEvents(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    var filter = EventFilter()
    filter.workspace = try workspace(&query, allowsAll: true)
    let names = query.list("kind")
    let kinds = names.compactMap(EventKind.init)
    if kinds.count < names.count {
      let known = EventKind.allCases.map(\.rawValue).joined(separator: ", ")
      query.report("kind", "The parameter kind must be one of \(known).")
    }
    if !kinds.isEmpty { filter.kinds = Set(kinds) }
    let duration = query.duration("for")
    try query.finish()
    guard events.subscriberCount < EventHub.subscriberLimit else {
      throw ConsoleProblem(
        429, .tooMany, "There are \(EventHub.subscriberLimit) streams of events, the limit.")
    }
    let stream = EventStream(
      console: self, filter: filter, resumeAfter: try call.lastEventID(),
      output: EventStreamOutput(
        timers: timers, openStreams: openStreams, duration: duration))
    return .streaming(EventStreamOutput.head, stream)
  }

  /// The frame of an event that happens just now.
  ///
  /// It is rendered for the first of its streams and kept for the others: a push must not wait for a
  /// thousand renderings. Nothing changes the object while the hub tells its subscribers.
  func newFrame(of event: Event) -> [UInt8] {
    if let liveFrame, liveFrame.event == event.id { return liveFrame.bytes }
    let bytes = frame(of: event)
    liveFrame = (event.id, bytes)
    return bytes
  }

  /// The frame of an event, with the object it is about as it is now.
  func frame(of event: Event) -> [UInt8] {
    ServerSentEvent.frame(
      id: event.id, event: event.subject.kind.rawValue, data: data(of: event))
  }

  /// The data of an event: its type, its time and the object it is about.
  private func data(of event: Event) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("type", event.subject.kind.rawValue)
    writer.member("at", event.at.rfc3339)
    writer.memberOrNull("workspace", event.workspace?.rawValue)
    writer.key(event.subject.kind.rawValue)
    write(event.subject, into: &writer)
    writer.endObject()
    return writer.bytes
  }

  private func write(_ subject: EventSubject, into writer: inout JSONWriter) {
    switch subject {
    case .envelope(let number):
      if let envelope = store.envelope(number) { return envelope.json(into: &writer) }
      writeGone(EnvelopeID.text(number), into: &writer)
    case .delivery(let number, let step):
      writer.beginObject()
      writer.member("envelope", EnvelopeID.text(number))
      writer.member("device", step.device.rawValue)
      step.writeMembers(into: &writer)
      writer.endObject()
    case .device(let id):
      if let device = devices.device(id) { return device.write(into: &writer) }
      writeGone(id.rawValue, into: &writer)
    case .fault(let id):
      writer.value(["id": .string(id)])
    case .connection(let id):
      if let entry = status?.connection(id) { return entry.json(into: &writer) }
      writer.value(["id": .int(id), "gone": true])
    case .notice(let code, let text):
      writer.value(["code": .string(code), "text": .string(text)])
    }
  }

  /// What is left of an object that was removed or forgotten before its event was sent.
  private func writeGone(_ id: String, into writer: inout JSONWriter) {
    writer.value(["id": .string(id), "gone": true])
  }
}
