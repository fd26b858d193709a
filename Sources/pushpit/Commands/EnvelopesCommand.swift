internal import PushpitJSON

/// `pushpit envelopes`: what was recorded, newest first.
enum EnvelopesCommand: Command {
  static let name = "envelopes"
  static let summary = "list recorded envelopes, newest first"
  static let usage = "pushpit envelopes [--service apns] [--outcome rejected] [--limit N] [--json]"
  static let options =
    consoleOptions + envelopeFilters + [
      OptionSpecification("--limit", "N", "how many at most (default 20)")
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let limit = try arguments.integer("--limit", in: 1...1000) ?? 20
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let query = envelopeQuery(arguments) + [("limit", String(limit))]
    let list = try await console.json("GET", "/api/v1/envelopes", query)
    if arguments.flag("--json") {
      Terminal.print(String(decoding: list.serialized(.indented), as: UTF8.self))
      return 0
    }
    for envelope in list["items"]?.arrayValue ?? [] {
      for line in EnvelopeLine.lines(envelope) { Terminal.print(line) }
    }
    return 0
  }
}

/// The filters of the console's envelope list as flags.
let envelopeFilters: [OptionSpecification] = [
  OptionSpecification(
    "--service", choices: ["apns", "fcm", "iid", "oauth", "unknown"], "only of this service"),
  OptionSpecification("--outcome", choices: ["accepted", "rejected"], "only with this outcome"),
  OptionSpecification("--reason", "REASON", "only with this reason, e.g. BadDeviceToken"),
  OptionSpecification("--diagnosis", "CODE", "only with this diagnosis, e.g. fcm-token-at-apns"),
  OptionSpecification("--warning", "CODE", "only with this warning, e.g. lint-key-misspelt"),
  OptionSpecification("--token", "TOKEN", "only for this token"),
  OptionSpecification("--topic", "TOPIC", "only for this topic"),
  OptionSpecification("--project", "PROJECT", "only for this project"),
]

/// The filters that were given, as query parameters.
func envelopeQuery(_ arguments: ParsedArguments) -> [(String, String)] {
  envelopeFilters.compactMap { option in
    arguments.text(option.name).map { (option.fileName, $0) }
  }
}
