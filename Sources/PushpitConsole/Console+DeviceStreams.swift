internal import PushpitDevices
internal import PushpitJSON
internal import PushpitModel

/// The devices' own connections.
extension Console {
  /// `GET /devices/{id}/stream`.
  func streamDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: true)
    let duration = query.duration("for")
    let acknowledgement = query.acknowledgement()
    try query.finish()
    let device = try device(call.parameters[0], in: workspace)
    return try stream(call, .device(device.id), acknowledgement, duration)
  }

  /// `GET /devices/stream?device=a&device=b`: several devices on one connection; `device=a,b` is shorter.
  func streamDevices(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: true)
    let duration = query.duration("for")
    let acknowledgement = query.acknowledgement()
    let names = query.list("device")
    if names.isEmpty {
      query.report("device", "The parameter device is missing: it names one or more devices.")
    }
    if names.count > DeviceStream.deviceLimit {
      query.report(
        "device", "There are at most \(DeviceStream.deviceLimit) devices on one connection.")
    }
    try query.finish()
    var ids: [DeviceID] = []
    var seen: Set<DeviceID> = []
    for name in names {
      let id = try device(name, in: workspace).id
      if seen.insert(id).inserted { ids.append(id) }
    }
    return try stream(call, .devices(ids), acknowledgement, duration)
  }

  /// `POST /devices/{id}/ack`: the device has got its events up to `upTo`.
  func acknowledge(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let id = try device(call).id
    let expected = "the number of one of the device's events"
    let event = try call.onlyMember("upTo", expected: expected) {
      $0.wholeValue.flatMap(UInt64.init(exactly:))
    }
    guard let event else {
      throw .invalid([.init(.body(pointer: "/upTo"), "Expected \(expected).")])
    }
    let device = try deviceProblems { () throws(DeviceError) in
      try devices.acknowledge(id, upTo: event)
    }
    return json { writer in
      writer.beginObject()
      writer.member("device", device.id.rawValue)
      writer.member("stored", device.storedCount)
      writer.endObject()
    }
  }

  private func stream(
    _ call: ConsoleCall, _ subject: DeviceStream.Subject, _ acknowledgement: Acknowledgement,
    _ duration: Duration?
  ) throws(ConsoleProblem) -> ConsoleAnswer {
    let stream = DeviceStream(
      subject, devices: devices, resumeAfter: try call.lastEventID(),
      acknowledgement: acknowledgement,
      output: EventStreamOutput(timers: timers, openStreams: openStreams, duration: duration))
    return .streaming(EventStreamOutput.head, stream)
  }
}

extension QueryReader {
  /// `ack=manual`: the device acknowledges what it gets.
  fileprivate mutating func acknowledgement() -> Acknowledgement {
    value("ack", expected: "manual") { $0 == "manual" ? .manual : nil } ?? .automatic
  }
}
