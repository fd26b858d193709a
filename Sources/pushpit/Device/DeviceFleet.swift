internal import PushpitClient
internal import PushpitJSON

/// The command's devices at the console: made together, on one connection, gone in the end.
actor DeviceFleet {
  private let console: ConsoleClient
  private var ids: [String] = []

  init(_ console: ConsoleClient) {
    self.console = console
  }

  /// Makes the devices, in order.
  /// - Throws: `CommandFailure` with the console's explanation.
  func make(_ options: DeviceOptions) async throws -> [JSONValue] {
    var devices: [JSONValue] = []
    for index in 0..<options.count {
      try Task.checkCancellation()
      let device = try await console.json(
        "POST", "/api/v1/devices", body: options.specification(index))
      guard let id = device["id"]?.stringValue else {
        throw CommandFailure("the console's answer has no device id")
      }
      ids.append(id)
      devices.append(device)
    }
    return devices
  }

  /// Brings them online: opens the stream of their events.
  /// - Throws: `CommandFailure` with the console's explanation.
  func connect() async throws(CommandFailure) -> ConsoleEvents {
    try await console.events(
      "/api/v1/devices/stream", [("device", ids.joined(separator: ","))])
  }

  /// What the owner of a phone does with it; returns the device.
  /// - Throws: `CommandFailure` with the console's explanation.
  func act(_ id: String, _ action: String) async throws(CommandFailure) -> JSONValue {
    try await console.json("POST", "/api/v1/devices/\(id)/\(action)")
  }

  /// Changes a setting of a device; returns the device.
  /// - Throws: `CommandFailure` with the console's explanation.
  func change(
    _ id: String, _ setting: String, _ value: JSONValue
  ) async throws(CommandFailure) -> JSONValue {
    var body = JSONObject()
    body[setting] = value
    return try await console.json("PATCH", "/api/v1/devices/\(id)", body: .object(body))
  }

  /// What the record of an envelope warns of; none where it is not known any more.
  func warnings(_ envelope: String) async -> [JSONValue] {
    let record = try? await console.json("GET", "/api/v1/envelopes/\(envelope)")
    return record?["warnings"]?.arrayValue ?? []
  }

  /// Removes the devices.
  ///
  /// One that somebody else removed is no matter, nor is a gateway that has gone: they go with it.
  func remove() async {
    for id in ids {
      guard (try? await console.send("DELETE", "/api/v1/devices/\(id)")) != nil else { return }
    }
  }
}
