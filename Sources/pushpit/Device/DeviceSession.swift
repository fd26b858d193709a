internal import PushpitClient
internal import PushpitJSON
internal import PushpitNetwork

/// A run of `pushpit device`: shows what comes, and does what keys ask for.
actor DeviceSession {
  /// Why it ended by itself.
  enum Ending: Equatable {
    /// As many pushes came as were wanted, or the user quit.
    case done
    /// The gateway ended the stream, with its last word on that.
    case streamEnded(notice: String?)
  }

  /// Its devices at the console.
  let fleet: DeviceFleet
  private let pushLimit: Int?
  private var output: DeviceOutput
  /// What is known of each device, by its id.
  var phones: [String: Phone] = [:]
  /// The device that keys act on: the newest push's, at first the first.
  private(set) var current = ""
  /// The pushes that came, to all of them.
  private var pushCount = 0
  /// The question on the last line.
  var entry: LineEntry?
  private var decoder = KeyDecoder()

  init(_ fleet: DeviceFleet, pushLimit: Int?, output: DeviceOutput) {
    self.fleet = fleet
    self.pushLimit = pushLimit
    self.output = output
  }

  /// Says who the devices are; they are online by now.
  func begin(_ devices: [JSONValue]) {
    for var phone in devices.compactMap({ Phone($0) }) {
      // They were made before their stream was opened.
      phone.isOnline = true
      if phones.isEmpty { current = phone.id }
      phones[phone.id] = phone
    }
    for device in devices {
      show(output.form == .json ? [json(device)] : DeviceLines.announcement(device))
    }
  }

  /// Gives the terminal back.
  func end() { output.leave() }

  // MARK: Events

  /// Shows events until enough pushes have come or the stream ends.
  func follow(_ events: ConsoleEvents) async throws -> Ending {
    var notice: String?
    for try await event in events {
      if event.kind == "notice" { notice = event.data.pointer("/notice/text")?.stringValue }
      await take(event)
      if let pushLimit, pushCount >= pushLimit { return .done }
    }
    return .streamEnded(notice: notice)
  }

  private func take(_ event: ConsoleEvent) async {
    let id = event.data["device"]?.stringValue ?? ""
    switch event.kind {
    case "push":
      pushCount += 1
      current = id
      phones[id]?.newestConversation = event.data["conversation"]?.stringValue
    case "uninstalled": phones[id]?.isInstalled = false
    case "reinstalled": phones[id]?.isInstalled = true
    default: break
    }
    await present(event, device: phones.count > 1 ? phones[id]?.label : nil)
  }

  private func present(_ event: ConsoleEvent, device: String?) async {
    switch output.form {
    case .json: show([json(event)])
    case .plain: show(DeviceLines.event(event, device: device))
    case .cards, .screen:
      guard event.kind == "push" else {
        return show([ink.paint(DeviceLines.line(event, device: device), .faint)])
      }
      let warnings = await fleet.warnings(event.data["envelope"]?.stringValue ?? "")
      let card = DeviceCard(push: event.data, warnings: warnings, device: device)
      show(card.lines(columns: Terminal.columns, ink))
    }
  }

  private func json(_ value: JSONValue) -> String {
    String(decoding: value.serialized(), as: UTF8.self)
  }

  /// An event's data, with its kind as `type`.
  private func json(_ event: ConsoleEvent) -> String {
    var object = JSONObject(["type": .string(event.kind)])
    object.members += (event.data.objectValue?.members ?? []).filter { $0.key != "type" }
    return json(.object(object))
  }

  // MARK: Showing

  /// Whether this terminal has colour.
  var ink: Ink { Ink(hasColour: Terminal.hasColour) }

  /// Prints lines and draws the last line anew.
  func show(_ lines: [String]) {
    let status = phones[current].map { phone in
      StatusLine(phone: phone, deviceCount: phones.count, pushCount: pushCount)
    }
    output.show(lines, status: status, entry: entry)
  }

  // MARK: The terminal

  /// Does what keys ask for, until one quits or the terminal is gone.
  func obey(_ typed: AsyncStream<[UInt8]>) async -> Ending? {
    for await bytes in typed {
      for key in decoder.keys(bytes) where await press(key) { return .done }
    }
    return .done
  }

  /// Follows the terminal's size, and gives it back while the process is stopped.
  func heed(_ signals: AsyncStream<SignalWatcher.Signal>) async {
    for await signal in signals {
      switch signal {
      case .suspend:
        output.leave()
        TerminalMode.stopProcess()
      case .resume:
        output.enter()
        show([])
      case .resize:
        show([])
      case .terminate, .interrupt, .hangup:
        break
      }
    }
  }
}
