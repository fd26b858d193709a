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
    writer.beginObject()
    writer.memberOrNull("apns", apnsToken?.text)
    writer.memberOrNull("fcm", fcmToken?.text)
    for kind in DeviceTokenKind.allCases where kind != .app {
      if let record = token(.apns(kind)) { writer.member(kind.rawValue, record.text) }
    }
    writer.endObject()
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
    writer.key("inbox")
    writer.beginArray()
    for push in inbox { push.writeInboxItem(into: &writer) }
    writer.endArray()
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
  var text: String { String(decoding: token, as: UTF8.self) }
}
