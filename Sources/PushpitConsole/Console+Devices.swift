internal import PushpitDevices
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /devices`.
  func listDevices(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: true)
    let limit = query.limit()
    let cursor = query.value("cursor", expected: "a cursor of this list") { UInt64($0) }
    try query.finish()
    let page = devices.list(in: workspace, limit: limit, before: cursor)
    return json { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for device in page.devices { device.write(into: &writer) }
      writer.endArray()
      writer.memberOrNull("next", page.next.map { String($0) })
      writer.member("total", devices.count(in: workspace))
      writer.member("evicted", 0)
      writer.endObject()
    }
  }

  /// `POST /devices`.
  func makeDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: false)
    try query.finish()
    let body = try call.json()
    let device = try deviceProblems { () throws(DeviceError) in
      try devices.create(DeviceSpecification(json: body), in: workspace ?? .default)
    }
    guard case .response(var response) = json(201, { device.write(into: &$0) }) else {
      return noContent
    }
    response.head.fields.append("location", "/api/v1/devices/\(device.id)".utf8)
    return .response(response)
  }

  /// `GET /devices/{id}`.
  func showDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let device = try device(call, allowsAll: true)
    return json { device.write(into: &$0) }
  }

  /// `PATCH /devices/{id}`.
  func changeDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let id = try device(call).id
    let body = try call.json()
    let device = try deviceProblems { () throws(DeviceError) in
      try devices.change(id, DeviceChange(json: body))
    }
    return json { device.write(into: &$0) }
  }

  /// `DELETE /devices/{id}`.
  func removeDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let device = try device(call)
    try deviceProblems { () throws(DeviceError) in try devices.remove(device.id) }
    events.post(
      .device(device.id), workspace: device.workspace, at: now(in: device.workspace))
    return noContent
  }

  /// `POST /devices/{id}/tap`: the push of `envelope`, by default the newest that is shown.
  func tapDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let envelope = try envelope(call)
    return try act(call) { id throws(DeviceError) in try devices.tap(id, envelope: envelope) }
  }

  /// `POST /devices/{id}/dismiss`: the push of `envelope`, by default the newest that is shown.
  func dismissOnDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let envelope = try envelope(call)
    return try act(call) { id throws(DeviceError) in try devices.dismiss(id, envelope: envelope) }
  }

  /// `POST /devices/{id}/uninstall`.
  func uninstallDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.noMembers()
    return try act(call) { id throws(DeviceError) in try devices.uninstall(id) }
  }

  /// `POST /devices/{id}/reinstall`.
  func reinstallDevice(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.noMembers()
    return try act(call) { id throws(DeviceError) in try devices.reinstall(id) }
  }

  /// `POST /devices/{id}/clear-token`: all tokens of the app, as at a logout.
  func clearDeviceTokens(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.noMembers()
    return try act(call) { id throws(DeviceError) in try devices.clearTokens(id) }
  }

  /// `POST /devices/{id}/expire-token`: the token that `token` names, by default the main one.
  func expireDeviceToken(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let name = try tokenName(call)
    return try act(call) { id throws(DeviceError) in try devices.expireToken(id, name) }
  }

  /// `POST /devices/{id}/rotate-token`: the token that `token` names, by default the main one.
  func rotateDeviceToken(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let name = try tokenName(call)
    return try act(call) { id throws(DeviceError) in try devices.rotateToken(id, name) }
  }

  /// Does something to the device of a call, and answers what became of it.
  private func act(
    _ call: ConsoleCall, _ action: (DeviceID) throws(DeviceError) -> Device
  ) throws(ConsoleProblem) -> ConsoleAnswer {
    let id = try device(call).id
    let device = try deviceProblems { () throws(DeviceError) in try action(id) }
    return json { device.write(into: &$0) }
  }

  /// The envelope that a body names; nil for none.
  private func envelope(_ call: ConsoleCall) throws(ConsoleProblem) -> EnvelopeNumber? {
    try call.onlyMember("envelope", expected: "the id of an envelope") {
      $0.stringValue.flatMap { EnvelopeID.number($0) }
    }
  }

  /// The token that a body names; nil for none.
  private func tokenName(_ call: ConsoleCall) throws(ConsoleProblem) -> TokenName? {
    let names = TokenName.all.joined(separator: ", ")
    return try call.onlyMember("token", expected: "one of \(names)") {
      $0.stringValue.flatMap(TokenName.init)
    }
  }

  func device(
    _ call: ConsoleCall, allowsAll: Bool = false
  ) throws(ConsoleProblem) -> Device {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: allowsAll)
    try query.finish()
    return try device(call.parameters[0], in: workspace)
  }

  func device(
    _ id: String, in workspace: WorkspaceID?
  ) throws(ConsoleProblem) -> Device {
    if let device = devices.device(DeviceID(id), in: workspace) { return device }
    guard let elsewhere = devices.device(DeviceID(id)) else {
      throw ConsoleProblem(404, .notFound, "There is no device \"\(id)\".")
    }
    throw ConsoleProblem(
      404, .notFound,
      "Device \(id) is of another workspace; add ?workspace=\(elsewhere.workspace).")
  }

  func deviceProblems<Result>(
    _ body: () throws(DeviceError) -> Result
  ) throws(ConsoleProblem) -> Result {
    do {
      return try body()
    } catch {
      throw ConsoleProblem(error)
    }
  }
}

extension ConsoleProblem {
  init(_ error: DeviceError) {
    switch error {
    case .invalid(let problems): self = .invalid(problems.map(Fault.init))
    case .tokenTaken(let problem):
      self.init(409, .conflict, error.description)
      faults = [Fault(problem)]
    case .unknownDevice: self.init(404, .notFound, error.description)
    case .tooManyDevices, .tooManyStreams: self.init(429, .tooMany, error.description)
    case .nothingShown, .notInInbox, .noToken, .tokenNotReady, .noEvent, .notInstalled:
      self.init(409, .conflict, error.description)
    }
  }
}

extension ConsoleProblem.Fault {
  init(_ problem: InputProblem) {
    self.init(.body(pointer: problem.pointer), problem.detail, code: problem.code?.rawValue)
  }
}
