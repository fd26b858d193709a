internal import PushpitJSON
internal import PushpitModel

/// A push as an iOS simulator takes it: Apple's `simctl push`, or a file that is dropped on it.
///
/// `xcrun simctl push` says of itself: the payload must be an object with a valid `aps`, of 4096 bytes or
/// less; "Only application remote push notifications are supported. VoIP, Complication, File Provider, and
/// other types are not supported." Background pushes are (release notes of Xcode 11.4).
struct SimulatorPush {
  /// The longest payload that simctl takes.
  static let payloadLimit = 4096

  private let bundleID: String
  private let payload: JSONObject
  private let body: [UInt8]

  init(_ envelope: Envelope) throws(ExportRefusal) {
    guard envelope.service == .apns, envelope.token != nil, let topic = envelope.topic else {
      throw ExportRefusal(
        "Envelope \(envelope.id) is no push of APNs to a device, and simulators take no other.")
    }
    switch envelope.pushType {
    case nil, "alert", "background": break
    case .some(let other):
      throw ExportRefusal(
        "Simulators take alerts and background pushes; envelope \(envelope.id) has the push type "
          + "\(other).")
    }
    guard let payload = envelope.payload?.objectValue, payload["aps"]?.objectValue != nil else {
      throw ExportRefusal(
        "Simulators take a JSON object with the member aps, which envelope \(envelope.id) has not.")
    }
    guard envelope.body.count <= Self.payloadLimit else {
      throw ExportRefusal(
        "Simulators take payloads up to \(Self.payloadLimit) bytes; envelope \(envelope.id) has "
          + "\(envelope.body.count).")
    }
    bundleID = topic
    self.payload = payload
    body = envelope.body
  }

  /// The command that shows the push in the simulator that runs.
  var commandLine: String {
    "printf %s \(ShellText.word(ExportText(body))) |\n"
      + "  xcrun simctl push booted \(ShellText.word(bundleID)) -\n"
  }

  /// The file, which names the app itself.
  var file: [UInt8] {
    let key = "Simulator Target Bundle"
    var content = payload
    content[key] = nil
    content.members.insert((key: key, value: .string(bundleID)), at: 0)
    return JSONValue.object(content).serialized(.indented) + [UInt8(ascii: "\n")]
  }
}
