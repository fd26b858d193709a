internal import PushpitClient
internal import PushpitJSON

/// `pushpit tail`: follows the envelopes, one line each.
enum TailCommand: Command {
  static let name = "tail"
  static let summary = "follow envelopes as they are recorded, one line each"
  static let usage = "pushpit tail [--service apns] [--outcome rejected] [--exit-after N] [--json]"
  static let options =
    consoleOptions + envelopeFilters + [
      OptionSpecification("--exit-after", "N", "end after so many envelopes")
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let limit = try arguments.integer("--exit-after", in: 1...Int.max)
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let wanted = envelopeQuery(arguments)
    var seen = 0
    for try await event in try await console.events("/api/v1/events", [("kind", "envelope")]) {
      guard event.kind == "envelope", let envelope = event.data["envelope"],
        wanted.allSatisfy({ matches(envelope, $0.0, $0.1) })
      else { continue }
      if arguments.flag("--json") {
        Terminal.print(String(decoding: envelope.serialized(), as: UTF8.self))
      } else {
        for line in EnvelopeLine.lines(envelope) { Terminal.print(line) }
      }
      seen += 1
      if seen == limit { return 0 }
    }
    throw CommandFailure("the gateway at \(console.address.url) ended the stream")
  }

  private static func matches(_ envelope: JSONValue, _ field: String, _ wanted: String) -> Bool {
    switch field {
    case "diagnosis": envelope["diagnosis"]?["code"]?.stringValue == wanted
    case "warning":
      (envelope["warnings"]?.arrayValue ?? []).contains { $0["code"]?.stringValue == wanted }
    default: envelope[field]?.stringValue == wanted
    }
  }
}
