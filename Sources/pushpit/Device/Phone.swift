internal import PushpitJSON

/// What the command knows of one of its devices.
struct Phone: Equatable {
  let id: String
  let name: String
  let platform: String
  /// As the console said last, like what follows.
  var isOnline = false
  var isInstalled = true
  var savesPower = false
  /// What is open: nil for nothing, empty for the app without a conversation.
  var conversation: String?
  /// That of the newest push; nil when it has none.
  var newestConversation: String?

  /// Reads the console's answer; nil when it is no device.
  init?(_ device: JSONValue) {
    guard let id = device["id"]?.stringValue else { return nil }
    self.id = id
    name = device["name"]?.stringValue ?? id
    platform = device["platform"]?.stringValue ?? ""
    update(device)
  }

  /// Takes what may have changed.
  mutating func update(_ device: JSONValue) {
    isOnline = device["online"]?.boolValue ?? isOnline
    isInstalled = device["installed"]?.boolValue ?? isInstalled
    savesPower = powerKey.flatMap { device[$0]?.boolValue } ?? false
    conversation =
      device.pointer("/foreground/conversation")?.stringValue
      ?? (device["foreground"]?.boolValue == true ? "" : nil)
  }

  /// How people tell it from others: its name and, where that is not the same, its id.
  var label: String { name == id ? id : "\(name) (\(id))" }

  /// How the console calls its saving of power; nil where it has none.
  var powerKey: String? {
    switch platform {
    case "ios": "powerSaving"
    case "android": "dozing"
    default: nil
    }
  }
}
