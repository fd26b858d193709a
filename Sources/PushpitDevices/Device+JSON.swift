package import PushpitJSON
internal import PushpitModel

extension Device {
  /// Writes the device as the console shows it.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id.rawValue)
    writer.member("workspace", workspace.rawValue)
    writer.member("name", name)
    writer.member("platform", platform.rawValue)
    writer.member("app", app)
    writer.memberOrNull("environment", environment?.rawValue)
    writer.memberOrNull("project", project)
    writer.memberOrNull("contract", contract)
    writer.member("online", isOnline)
    writer.key("foreground")
    foreground.write(into: &writer)
    writer.member("permission", permission.rawValue)
    if let name = platform.powerName { writer.member(name, savesPower) }
    writer.member("installed", isInstalled)
    writer.key("tokens")
    writeTokens(into: &writer)
    writer.memberOrNull("tokenDelay", tokenDelay.map(DurationText.write))
    writer.key("callbacks")
    callbacks.write(into: &writer)
    writer.key("channels")
    writer.beginArray()
    for channel in channels { writer.string(utf8: channel.id) }
    writer.endArray()
    writer.key("topics")
    writer.beginArray()
    for topic in topics { writer.string(topic) }
    writer.endArray()
    writer.key("activities")
    writer.beginArray()
    for activity in activities { activity.write(into: &writer) }
    writer.endArray()
    writer.member("stored", storedCount)
    writer.key("history")
    writer.beginArray()
    for entry in history { entry.write(into: &writer) }
    writer.endArray()
    writer.key("inbox")
    writer.beginArray()
    for push in inbox { push.writeInboxItem(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}

extension Device {
  /// As the app knows them: null while it waits for them.
  private func writeTokens(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.memberOrNull("apns", toldToken(.apns(.app))?.text)
    writer.memberOrNull("fcm", toldToken(.fcm)?.text)
    for kind in DeviceTokenKind.allCases where kind != .app {
      guard token(.apns(kind)) != nil else { continue }
      writer.memberOrNull(kind.rawValue, toldToken(.apns(kind))?.text)
    }
    writer.endObject()
  }
}

extension Foreground {
  fileprivate func write(into writer: inout JSONWriter) {
    switch self {
    case .closed: writer.bool(false)
    case .open: writer.bool(true)
    case .conversation(let conversation): writer.value(["conversation": .string(conversation)])
    }
  }
}

extension Platform {
  /// What a device's saving of power is called; nil where nothing waits for it.
  var powerName: String? {
    switch self {
    case .ios: "powerSaving"
    case .android: "dozing"
    case .web: nil
    }
  }
}

extension TokenRecord {
  /// The token as text; all tokens are ASCII.
  package var text: String { String(decoding: token, as: UTF8.self) }
}
