internal import PushpitJSON

/// `pushpit clock`: what a workspace's clock shows, and how it is moved.
enum ClockCommand: Command {
  static let name = "clock"
  static let summary = "show a workspace's clock, or move it: tokens and stored pushes age by it"
  static let usage =
    "pushpit clock [advance 61m | set 2026-01-15T01:30:15Z | freeze | unfreeze | reset]"
  static let positionalLimit = 2
  static let options = consoleOptions

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let change = try change(arguments.positionals)
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let clock = try await console.json(
      change == nil ? "GET" : "POST", "/api/v1/clock", body: change)
    guard !arguments.flag("--json") else {
      Terminal.print(String(decoding: clock.serialized(), as: UTF8.self))
      return 0
    }
    let offset = clock["offset"]?.stringValue ?? ""
    let state = clock["frozen"]?.boolValue == true ? "frozen" : "offset \(offset)"
    Terminal.print("\(clock["now"]?.stringValue ?? "")  \(state)")
    return 0
  }

  /// The body of the call; nil when the clock is only to be shown.
  private static func change(_ words: [String]) throws(UsageError) -> JSONValue? {
    switch (words.first, words.count) {
    case (nil, 0): return nil
    case ("advance", 2): return ["advance": .string(words[1])]
    case ("set", 2): return ["set": .string(words[1])]
    case ("freeze", 1): return ["freeze": true]
    case ("unfreeze", 1): return ["freeze": false]
    case ("reset", 1): return ["reset": true]
    default:
      throw UsageError(
        "clock takes advance DURATION, set TIME, freeze, unfreeze, reset, or nothing")
    }
  }
}
