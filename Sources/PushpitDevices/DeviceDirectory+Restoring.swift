package import PushpitJSON
package import PushpitModel

/// Devices that come back after a restart.
extension DeviceDirectory {
  /// Makes a device again from its image; nothing is reported, and nobody is told.
  ///
  /// - Returns: False when the image cannot be read, or its token or name is taken.
  package func restore(_ id: DeviceID, from image: JSONValue) -> Bool {
    func text(_ name: String) -> String? { image[name]?.stringValue }
    guard device(id) == nil, let platform = text("platform").flatMap({ Platform(rawValue: $0) }),
      let workspace = text("workspace").map({ WorkspaceID($0) }),
      let home = workspaces.all[workspace], let app = text("app")
    else { return false }
    let tokens = image["tokens"]?.arrayValue ?? []
    let isTaken = tokens.contains { token in
      self.tokens.record(of: Array((token["token"]?.stringValue ?? "").utf8))?.isDeclared ?? false
    }
    guard !isTaken else { return false }
    let specification = DeviceSpecification(
      platform: platform, app: app,
      environment: text("environment").flatMap { APNsEnvironment(rawValue: $0) },
      contract: text("contract"), tokenDelay: text("tokenDelay").flatMap(DurationText.parse))
    let device = Device(
      id: id, serial: nextSerial(), workspace: workspace, home: home,
      name: text("name") ?? id.rawValue, specification: specification, project: text("project"),
      callbacks: image["callbacks"].flatMap { try? DeviceCallbacks(json: $0) } ?? defaultCallbacks)
    takeState(of: device, from: image)
    for token in tokens { restoreToken(token, of: device) }
    add(device)
    for topic in image["topics"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
      guard let record = device.fcmToken else { break }
      // What was subscribed before fits again.
      _ = try? home.topics.subscribe(
        record.token, to: topic, in: record.topicProject(of: ""), at: now(of: device))
    }
    return true
  }

  /// What configuration files said of the devices of a workspace.
  package func declarations(in workspace: WorkspaceID) -> [String] {
    allDevices(in: workspace).compactMap(\.declaration)
  }

  private func takeState(of device: Device, from image: JSONValue) {
    device.declaration = image["declaration"]?.stringValue
    device.onlineRequest = image["online"]?.boolValue
    device.isInstalled = image["installed"]?.boolValue ?? true
    device.savesPower = image["savesPower"]?.boolValue ?? false
    device.permission =
      image["permission"]?.stringValue.flatMap { Permission(rawValue: $0) } ?? .granted
    if let conversation = image.pointer("/foreground/conversation")?.stringValue {
      device.foreground = .conversation(conversation)
    } else if image["foreground"]?.boolValue == true {
      device.foreground = .open
    }
  }

  private func restoreToken(_ image: JSONValue, of device: Device) {
    let token = Array((image["token"]?.stringValue ?? "").utf8)
    let purpose = image["purpose"]?.stringValue.flatMap { DeviceTokenKind(rawValue: $0) }
    let record =
      if let purpose {
        registerDeviceToken(token, purpose, of: device)
      } else {
        registerFCMToken(token, project: device.project, of: device)
      }
    record.takeLife(from: image)
    switch image["role"]?.stringValue {
    case "app"?: device.apnsToken = record
    case "fcm"?: device.fcmToken = record
    case "further"?: device.furtherTokens.append(record)
    default: device.formerTokens.append(record)
    }
  }
}
