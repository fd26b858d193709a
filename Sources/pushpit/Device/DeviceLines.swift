internal import PushpitClient
internal import PushpitJSON

/// What happens to a device, as plain lines: in a pipe, and on a terminal for all but pushes.
enum DeviceLines {
  /// Who the device is: its id, platform and app, then its tokens.
  static func announcement(_ device: JSONValue) -> [String] {
    let words = ["id", "platform", "app"].compactMap { device[$0]?.stringValue }
    let tokens = (device["tokens"]?.objectValue?.members ?? []).compactMap { kind, token in
      token.stringValue.map { "\(kind) token: \($0)" }
    }
    let wait = device["tokenDelay"]?.stringValue.map { delay in
      "its app is told its tokens in \(delay) of the workspace's clock"
    }
    return ([words.joined(separator: " ")] + tokens + (tokens.isEmpty ? [wait ?? ""] : []))
      .filter { !$0.isEmpty }.map(Terminal.printable)
  }

  /// An event: of a push `push  TITLE: BODY` and its data, of all else one line; and where there are
  /// several devices, what this one is called.
  static func event(_ event: ConsoleEvent, device: String?) -> [String] {
    guard event.kind == "push" else { return [line(event, device: device)] }
    let words = ["title", "body"].compactMap { event.data[$0]?.stringValue }
    var lines = ["push  " + words.joined(separator: ": ")]
    if let data = event.data["data"], data.objectValue?.members.isEmpty == false {
      lines.append("      " + String(decoding: data.serialized(), as: UTF8.self))
    }
    if let device { lines.append("      on \(device)") }
    return lines.map(Terminal.printable)
  }

  /// What happened, in one line: the kind of event, then its words.
  static func line(_ event: ConsoleEvent, device: String?) -> String {
    let words = [event.kind] + words(event) + [device.map { "on \($0)" } ?? ""]
    return Terminal.printable(words.filter { !$0.isEmpty }.joined(separator: "  "))
  }

  private static func words(_ event: ConsoleEvent) -> [String] {
    let data = event.data
    func text(_ key: String) -> String { data[key]?.stringValue ?? "" }
    switch event.kind {
    case "notice":
      return [data.pointer("/notice/text")?.stringValue ?? ""]
    case "push-changed":
      return [text("envelope"), text("state"), text("cause")]
    case "token-rotated", "token-ready":
      return ["\(text("name")) token: \(text("token"))"]
    case "activity":
      // What a sender needs next is the activity's update token.
      return [text("change"), data["token"]?.stringValue.map { "update token: \($0)" } ?? ""]
    case "callback":
      let answer = data["status"]?.intValue.map(String.init) ?? ""
      return [text("callback"), text("url"), answer, text("error")]
    case "deleted-messages":
      return ["FCM dropped what it had stored; the app has to ask its server what it missed"]
    default: return []
    }
  }
}
