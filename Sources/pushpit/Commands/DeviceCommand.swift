internal import PushpitClient
internal import PushpitJSON

/// `pushpit device`: a simulated phone in the terminal, or many, gone when the command ends.
enum DeviceCommand: Command {
  static let name = "device"
  static let summary = "be a simulated device: print its token and every push it gets"
  static let usage =
    "pushpit device [--platform ios|android|web] [--app ID] [--count N] [--exit-after N] [--json]"
  static let options =
    consoleOptions + [
      OptionSpecification("--platform", choices: ["ios", "android", "web"], "default ios"),
      OptionSpecification("--app", "ID", "bundle ID or package name (default com.example.app)"),
      OptionSpecification(
        "--environment", choices: ["sandbox", "production"],
        "iOS: the environment of its APNs token (default sandbox)"),
      OptionSpecification(
        "--contract", "NAME", "the payload contract that its app's SDK follows, e.g. respondo"),
      OptionSpecification("--name", "NAME", "how lists call it"),
      OptionSpecification(
        "--firebase", nil, "iOS: the app has Firebase, hence an FCM registration token too"),
      OptionSpecification("--token", "TOKEN", "a token of your own instead of a minted one"),
      OptionSpecification(
        "--token-kind", "KIND,...", "iOS: mint tokens of these kinds too, e.g. voip,pushToStart"),
      OptionSpecification(
        "--token-delay", "DURATION",
        "tell the app its tokens only so long after launch, e.g. 1500ms"),
      OptionSpecification(
        "--count", "N", "be so many devices, at most \(DeviceOptions.countLimit) (default 1)"),
      OptionSpecification("--exit-after", "N", "end after so many pushes"),
      OptionSpecification("--keep", nil, "leave the devices there when the command ends"),
    ]

  /// The options, then the keys.
  static var help: String {
    ([
      standardHelp, "",
      "On a terminal each key does something at once, with the newest push's device:",
    ]
      + DeviceKey.helpLines).joined(separator: "\n")
  }

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let options = try DeviceOptions(arguments)
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let fleet = DeviceFleet(console)
    let interruption = try await Interruption.watch()
    let work = Task { try await run(options, fleet, interruption) }
    interruption.whenItComes { work.cancel() }
    let result = await work.result
    if !options.isKept {
      let removal = Task { await fleet.remove() }
      // Who is in such a hurry, or has a gateway that does not answer, need not wait for it.
      interruption.whenItComesAgain { removal.cancel() }
      await removal.value
    }
    guard !interruption.hasCome else { return 0 }
    do {
      switch try result.get() {
      case .done: return 0
      case .streamEnded(let notice):
        throw CommandFailure(
          "the gateway at \(console.address.url) ended the stream"
            + (notice.map { ": \($0)" } ?? ""))
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("the gateway at \(console.address.url) was lost: \(error)")
    }
  }

  private static func run(
    _ options: DeviceOptions, _ fleet: DeviceFleet, _ interruption: Interruption
  ) async throws -> DeviceSession.Ending {
    let devices = try await fleet.make(options)
    // The token is told when the device is online: a script may send to it at once.
    let events = try await fleet.connect()
    let output = DeviceOutput(asJSON: options.isJSON)
    let session = DeviceSession(fleet, pushLimit: options.pushLimit, output: output)
    do {
      let ending = try await follow(
        session, devices, events, hasKeys: output.form == .screen, interruption)
      await session.end()
      return ending
    } catch {
      await session.end()
      throw error
    }
  }

  private static func follow(
    _ session: DeviceSession, _ devices: [JSONValue], _ events: ConsoleEvents, hasKeys: Bool,
    _ interruption: Interruption
  ) async throws -> DeviceSession.Ending {
    let terminal = hasKeys ? try await TerminalNews.watch(on: interruption.loop) : nil
    await session.begin(devices)
    return try await withThrowingTaskGroup(of: DeviceSession.Ending?.self) { group in
      group.addTask { try await session.follow(events) }
      if let terminal {
        group.addTask { await session.obey(terminal.typed) }
        group.addTask {
          await session.heed(terminal.signals)
          return nil
        }
      }
      defer { group.cancelAll() }
      for try await ending in group {
        if let ending { return ending }
      }
      return .done
    }
  }
}
