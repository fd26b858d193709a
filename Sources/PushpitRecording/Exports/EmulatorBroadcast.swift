internal import PushpitJSON
internal import PushpitModel

/// A message as the broadcast by which Google Play services hand it to an app, for an Android emulator.
///
/// The app's SDK listens for it with `FirebaseInstanceIdReceiver`, which demands a permission that only
/// Play services and root have: hence `adb root`, which emulators without the Play Store allow. The names
/// of the extras are those that the SDK's `RemoteMessage` reads. There is no `google.message_id`: the
/// SDK shows a message with the same one only once.
struct EmulatorBroadcast {
  private let package: String
  private let extras: [(key: String, value: String)]

  init(_ envelope: Envelope) throws(ExportRefusal) {
    guard envelope.service == .fcm, let message = envelope.payload?["message"]?.objectValue else {
      throw ExportRefusal("Envelope \(envelope.id) is no message of FCM's messages:send.")
    }
    guard envelope.isAccepted else {
      throw ExportRefusal("FCM refused envelope \(envelope.id), so no app would have got it.")
    }
    let own = message["android"]
    let named = own.flatMap { Self.member($0, "restricted_package_name")?.stringValue }
    if envelope.platform == .ios || envelope.platform == .web {
      throw ExportRefusal("Envelope \(envelope.id) is not for an Android app.")
    }
    guard let package = named ?? envelope.app else {
      throw ExportRefusal(
        "It is not known for which app envelope \(envelope.id) is; its token is of no device that was "
          + "made here, and the message has no restricted_package_name.")
    }
    self.package = package
    extras = Self.extras(message)
    if (extras.flatMap { [$0.key, $0.value] } + [package]).contains(where: Self.hasZero) {
      throw ExportRefusal(
        "No command line can have a zero byte, which is in the data of envelope \(envelope.id).")
    }
  }

  /// The command that hands the message to the app in the emulator that runs.
  var commandLine: String {
    let receiver = package + "/com.google.firebase.iid.FirebaseInstanceIdReceiver"
    var words = ["am broadcast -a com.google.android.c2dm.intent.RECEIVE"]
    words.append("-n " + ShellText.word(receiver))
    for extra in extras {
      words.append("--es \(ShellText.word(extra.key)) \(ShellText.word(extra.value))")
    }
    // The emulator's shell reads the line once more.
    let line = words.joined(separator: " ")
    return "adb root && adb wait-for-device && adb shell \(ShellText.word(line))\n"
  }

  /// Fields of a notification whose values are strings, and the SDK's names for them.
  private static let notificationKeys = [
    ("title", "title"), ("body", "body"), ("icon", "icon"), ("color", "color"), ("sound", "sound2"),
    ("tag", "tag"), ("click_action", "click_action"), ("channel_id", "android_channel_id"),
    ("image", "image"), ("ticker", "ticker"), ("title_loc_key", "title_loc_key"),
    ("body_loc_key", "body_loc_key"),
  ]

  private static func extras(_ message: JSONObject) -> [(key: String, value: String)] {
    var extras: [(key: String, value: String)] = []
    let own = message["android"]
    // Google's reference: data of the platform, if present, takes the place of the common one.
    let ownData = own?["data"]?.objectValue.flatMap { $0.members.isEmpty ? nil : $0 }
    for member in (ownData ?? message["data"]?.objectValue)?.members ?? [] {
      if let value = member.value.stringValue { extras.append((member.key, value)) }
    }
    let common = message["notification"]
    let android = own?["notification"]
    if common?.objectValue != nil || android?.objectValue != nil {
      extras.append(("gcm.n.e", "1"))
      for (field, key) in notificationKeys {
        let value = android.flatMap { member($0, field) } ?? common.flatMap { member($0, field) }
        if let text = value?.stringValue { extras.append(("gcm.n." + key, text)) }
      }
    }
    if let key = own.flatMap({ member($0, "collapse_key")?.stringValue }) {
      extras.append(("collapse_key", key))
    }
    if let topic = message["topic"]?.stringValue { extras.append(("from", "/topics/" + topic)) }
    return extras
  }

  /// A member by the name of its field, which JSON may also have as `lowerCamelCase` (ProtoJSON).
  private static func member(_ value: JSONValue, _ field: String) -> JSONValue? {
    if let found = value[field] { return found }
    let words = field.split(separator: "_")
    return value[
      words.dropFirst().reduce(into: String(words[0])) { name, word in
        name += word.prefix(1).uppercased() + word.dropFirst()
      }]
  }

  private static func hasZero(_ text: String) -> Bool { text.utf8.contains(0) }
}
