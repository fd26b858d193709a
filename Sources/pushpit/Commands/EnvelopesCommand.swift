internal import PushpitHTTPTypes
internal import PushpitJSON

/// `pushpit envelopes`: what was recorded: a list, one of them, or none any more.
enum EnvelopesCommand: Command {
  static let name = "envelopes"
  static let summary = "list recorded envelopes, show or export one, or forget them"
  static let usage = """
    pushpit envelopes [--service apns] [--outcome rejected] [--q WORDS] [--limit N] [--json]
      | ID [--as curl|simctl|adb|apns|http] [--json] | --delete [--service apns]
    """
  static let positionalLimit = 1
  static let options =
    consoleOptions + envelopeFilters + listFilters + [
      OptionSpecification("--limit", "N", "list: how many at most (default 20)"),
      OptionSpecification(
        "--as", choices: ["curl", "simctl", "adb", "apns", "http"],
        "one: a command that sends it again or shows it in a simulator, a file, or text"),
      OptionSpecification("--delete", nil, "forget all that the filters let through"),
    ]

  /// Filters that only the console can apply.
  private static let listFilters = [
    OptionSpecification("--status", "N", "only with this status of the answer, e.g. 410"),
    OptionSpecification("--connection", "N", "only of this connection"),
    OptionSpecification("--device", "ID", "only with a delivery to this device"),
    OptionSpecification(
      "--since", "TIME", "only received then or later, e.g. 2026-01-15T01:30:15Z"),
    OptionSpecification("--until", "TIME", "only received before"),
    OptionSpecification("--q", "WORDS", "only with all of these words, wherever they are"),
  ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let limit = try arguments.integer("--limit", in: 1...1000)
    let query = filters(arguments, envelopeFilters + listFilters)
    if let id = arguments.positionals.first {
      let others = (envelopeFilters + listFilters).map(\.name) + ["--limit", "--delete"]
      if let other = arguments.given(others).first {
        throw UsageError("one envelope is shown as it is; \(other) goes with the list")
      }
      try await show(id, arguments)
      return 0
    }
    if arguments.text("--as") != nil { throw UsageError("--as needs the ID of an envelope") }
    if arguments.flag("--delete"), limit != nil { throw UsageError("--delete takes no --limit") }
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    guard !arguments.flag("--delete") else {
      try await console.good("DELETE", "/api/v1/envelopes", query)
      return 0
    }
    let list = try await console.json(
      "GET", "/api/v1/envelopes", query + [("limit", String(limit ?? 20))])
    if arguments.flag("--json") {
      Terminal.print(list)
      return 0
    }
    let items = list["items"]?.arrayValue ?? []
    for line in items.flatMap(EnvelopeLine.lines) { Terminal.print(line) }
    if let total = list["total"]?.intValue, total > items.count {
      Terminal.complain("\(items.count) of \(total); --limit shows more")
    }
    return 0
  }

  private static func show(_ id: String, _ arguments: ParsedArguments) async throws {
    let console = try await ConsoleClient.connect(try ConsoleAddress(arguments))
    let path = "/api/v1/envelopes/\(PercentCoding.encode(id))"
    if let form = arguments.text("--as") {
      Terminal.write(try await console.good("GET", "\(path)/as/\(form)").body)
      return
    }
    let envelope = try await console.json("GET", path)
    guard !arguments.flag("--json") else { return Terminal.print(envelope) }
    for line in EnvelopeSheet.lines(envelope) { Terminal.print(line) }
  }
}

/// The filters of the console's envelope list that hold for one envelope as it comes too, as flags.
let envelopeFilters: [OptionSpecification] = [
  OptionSpecification(
    "--service", choices: ["apns", "fcm", "iid", "oauth", "unknown"], "only of this service"),
  OptionSpecification("--outcome", choices: ["accepted", "rejected"], "only with this outcome"),
  OptionSpecification("--reason", "REASON", "only with this reason, e.g. BadDeviceToken"),
  OptionSpecification("--diagnosis", "CODE", "only with this diagnosis, e.g. fcm-token-at-apns"),
  OptionSpecification("--warning", "CODE", "only with this warning, e.g. lint-key-misspelt"),
  OptionSpecification("--token", "TOKEN", "only for this token"),
  OptionSpecification("--topic", "TOPIC", "only for this topic"),
  OptionSpecification("--push-type", "TYPE", "only of this APNs push type, e.g. voip"),
  OptionSpecification("--project", "PROJECT", "only for this project"),
  OptionSpecification("--app", "APP", "only for this app"),
  OptionSpecification("--collapse", "ID", "only with this collapse id or key"),
]

/// The filters that were given, as query parameters.
func envelopeQuery(_ arguments: ParsedArguments) -> [(String, String)] {
  filters(arguments, envelopeFilters)
}

private func filters(
  _ arguments: ParsedArguments, _ options: [OptionSpecification]
) -> [(String, String)] {
  options.compactMap { option in arguments.text(option.name).map { (option.fileName, $0) } }
}
