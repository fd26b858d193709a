internal import PushpitDevices
internal import PushpitJSON
internal import PushpitModel

extension Console {
  /// `GET /clock`: what a workspace's clock shows.
  func showClock(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    clock(of: try clockWorkspace(call))
  }

  /// `POST /clock`: moves, stops or resets a workspace's clock.
  ///
  /// Devices look at their alarms again; all else that depends on the clock compares moments when
  /// it is asked.
  func changeClock(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let workspace = try clockWorkspace(call)
    let change = try Self.clockChange(try call.json())
    guard devices.changeClock(of: workspace, change, at: time.now) else {
      throw ConsoleProblem(409, .conflict, "The clock would leave the years 1970 to 8999.")
    }
    status?.workspaceKeeper?.changed(workspace)
    return self.clock(of: workspace)
  }

  private func clockWorkspace(_ call: ConsoleCall) throws(ConsoleProblem) -> Workspace {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: false)
    try query.finish()
    return workspaces[workspace ?? .default]
  }

  private func clock(of workspace: Workspace) -> ConsoleAnswer {
    let real = time.now
    let now = workspace.time(at: real)
    return json { writer in
      writer.beginObject()
      writer.member("workspace", workspace.id.rawValue)
      writer.member("now", now.rfc3339)
      writer.member("real", real.rfc3339)
      writer.member("offset", DurationText.write(now - real))
      writer.member("frozen", workspace.clock.frozenAt != nil)
      writer.endObject()
    }
  }

  private static let changes = "advance, set, freeze and reset"

  /// Reads the body, which has exactly one member.
  private static func clockChange(
    _ body: JSONValue
  ) throws(ConsoleProblem) -> WorkspaceClock.Change {
    guard let members = body.objectValue?.members, members.count == 1, let member = members.first
    else {
      throw .invalid([
        .init(.body(pointer: ""), "The body must be an object with one of \(changes).")
      ])
    }
    let change: WorkspaceClock.Change?
    let expected: String
    switch member.key {
    case "advance":
      change = member.value.stringValue.flatMap(DurationText.parse).map { .advance($0) }
      expected = "Expected a duration like \(DurationText.examples)."
    case "set":
      change = member.value.stringValue.flatMap { Timestamp(rfc3339: $0) }.map { .set($0) }
      expected = "Expected a time like 2026-01-15T01:30:15Z."
    case "freeze":
      change = member.value.boolValue.map { $0 ? .freeze : .unfreeze }
      expected = "Expected true, or false to let it go on."
    case "reset":
      change = member.value == .bool(true) ? .reset : nil
      expected = "Expected true."
    default:
      change = nil
      expected = "Unknown member; known here: \(changes)."
    }
    guard let change else {
      throw .invalid([.init(.body(pointer: JSONValue.pointer("", to: member.key)), expected)])
    }
    return change
  }
}
