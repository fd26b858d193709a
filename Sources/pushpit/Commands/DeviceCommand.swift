internal import PushpitJSON

/// `pushpit device`: a simulated phone in the terminal, gone when the command ends.
enum DeviceCommand: Command {
  static let name = "device"
  static let summary = "be a simulated device: print its token and every push it gets"
  static let usage = "pushpit device [--platform ios|android|web] [--app ID] [--exit-after N]"
  static let options =
    consoleOptions + [
      OptionSpecification("--platform", choices: ["ios", "android", "web"], "default ios"),
      OptionSpecification("--app", "ID", "bundle ID or package name (default com.example.app)"),
      OptionSpecification(
        "--environment", choices: ["sandbox", "production"], "APNs environment (default sandbox)"),
      OptionSpecification("--token", "TOKEN", "a token of your own instead of a minted one"),
      OptionSpecification(
        "--token-kind", "KIND,...", "iOS: mint tokens of these kinds too, e.g. voip,pushToStart"),
      OptionSpecification(
        "--firebase", nil, "iOS: the app has Firebase, hence an FCM registration token too"),
      OptionSpecification("--name", "NAME", "how lists call it"),
      OptionSpecification("--exit-after", "N", "end after so many pushes"),
      OptionSpecification("--keep", nil, "leave the device there when the command ends"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let limit = try arguments.integer("--exit-after", in: 1...Int.max)
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let device = try await console.json(
      "POST", "/api/v1/devices", body: specification(arguments))
    guard let id = device["id"]?.stringValue else {
      throw CommandFailure("the console's answer has no device id")
    }
    // The token is told when the device is online: a script may send to it at once.
    let events = try await console.events("/api/v1/devices/\(id)/stream")
    let interruption = try await Interruption.watch()
    announce(device, asJSON: arguments.flag("--json"))
    let following = Task {
      try await follow(events, limit: limit, asJSON: arguments.flag("--json"))
    }
    interruption.whenItComes { following.cancel() }
    let result = await following.result
    if !interruption.hasCome, try !result.get() {
      throw CommandFailure("the gateway at \(console.address.url) ended the stream")
    }
    if !arguments.flag("--keep") {
      _ = try await console.send("DELETE", "/api/v1/devices/\(id)")
    }
    return 0
  }

  /// Shows what comes, and returns whether that were as many pushes as are wanted.
  private static func follow(_ events: ConsoleEvents, limit: Int?, asJSON: Bool) async throws
    -> Bool
  {
    var seen = 0
    for try await event in events {
      show(event, asJSON: asJSON)
      guard event.kind == "push" else { continue }
      seen += 1
      if seen == limit { return true }
    }
    return false
  }

  private static func specification(_ arguments: ParsedArguments) -> JSONValue {
    let platform = arguments.text("--platform") ?? "ios"
    var object = JSONObject()
    object["platform"] = .string(platform)
    for (flag, field) in [("--app", "app"), ("--environment", "environment"), ("--name", "name")] {
      if let text = arguments.text(flag) { object[field] = .string(text) }
    }
    if arguments.flag("--firebase") { object["firebase"] = true }
    var tokens = JSONObject()
    if let token = arguments.text("--token") {
      tokens[platform == "ios" ? "apns" : "fcm"] = .string(token)
    }
    for kind in (arguments.text("--token-kind") ?? "").split(separator: ",") {
      tokens[String(kind)] = true
    }
    if !tokens.members.isEmpty { object["tokens"] = .object(tokens) }
    return .object(object)
  }

  private static func announce(_ device: JSONValue, asJSON: Bool) {
    guard !asJSON else {
      Terminal.print(String(decoding: device.serialized(), as: UTF8.self))
      return
    }
    Terminal.print(
      "\(device["id"]?.stringValue ?? "") \(device["platform"]?.stringValue ?? "") "
        + "\(device["app"]?.stringValue ?? "")")
    for (kind, token) in device["tokens"]?.objectValue?.members ?? [] {
      if let token = token.stringValue { Terminal.print("\(kind) token: \(token)") }
    }
  }

  private static func show(_ event: ConsoleEvent, asJSON: Bool) {
    guard !asJSON else {
      Terminal.print(String(decoding: event.data.serialized(), as: UTF8.self))
      return
    }
    guard event.kind == "push" else {
      let text =
        event.data.pointer("/notice/text")?.stringValue ?? activityText(event.data)
        ?? rotationText(event.data)
      Terminal.print(text.map { "\(event.kind)  \($0)" } ?? event.kind)
      return
    }
    let words = ["title", "body"].compactMap { event.data[$0]?.stringValue }
    Terminal.print(
      Terminal.coloured("push", 32) + "  " + Terminal.printable(words.joined(separator: ": ")))
    if let data = event.data["data"], data.objectValue?.members.isEmpty == false {
      Terminal.print("      \(String(decoding: data.serialized(), as: UTF8.self))")
    }
  }

  /// The token that a sender has to use from now on.
  private static func rotationText(_ data: JSONValue) -> String? {
    guard let name = data["name"]?.stringValue, let token = data["token"]?.stringValue else {
      return nil
    }
    return "\(name) token: \(token)"
  }

  /// What happened to a Live Activity and its update token, which a sender needs next.
  private static func activityText(_ data: JSONValue) -> String? {
    guard let change = data["change"]?.stringValue else { return nil }
    return change + (data["token"]?.stringValue.map { "  update token: \($0)" } ?? "")
  }
}
