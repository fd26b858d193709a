internal import PushpitHTTPTypes
internal import PushpitJSON

/// `pushpit workspace list|create|show|change|reset|delete`: the units of isolation.
enum WorkspaceCommand: Command {
  static let name = "workspace"
  static let summary = "list, create, show, change, reset and delete workspaces"
  static let usage = """
    pushpit workspace list | show [NAME] | reset [NAME] | delete NAME [--json]
      | create [NAME] [--settings JSON] [--listener] | change [NAME] --settings JSON
    """
  static let positionalLimit = 2
  static let options =
    consoleOptions + [
      OptionSpecification(
        "--settings", "JSON", #"create, change: settings by name, e.g. '{"tokens":"strict"}'"#),
      OptionSpecification(
        "--listener", nil, "create: with a gateway port of its own, closed with the workspace"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let words = arguments.positionals
    let action = words.first ?? ""
    try checkFlags(action, arguments)
    var address = try ConsoleAddress(arguments)
    let name = words.dropFirst().first ?? address.workspace
    // The name is in the path; beside it the workspace of a call says nothing.
    address.workspace = nil
    let path = "/api/v1/workspaces/" + PercentCoding.encode(name ?? "default")
    let json = arguments.flag("--json")
    switch (action, words.count) {
    case ("list", 1):
      show(try await connect(address).json("GET", "/api/v1/workspaces"), json, WorkspaceText.list)
    case ("show", 1...2):
      show(try await connect(address).json("GET", path), json, WorkspaceText.sheet)
    case ("create", 1...2):
      let body = try creation(name: words.dropFirst().first, arguments)
      let made = try await connect(address).json("POST", "/api/v1/workspaces", body: body)
      show(made, json, WorkspaceText.creation)
    case ("change", 1...2):
      guard let settings = try settings(arguments) else {
        throw UsageError("workspace change needs --settings JSON")
      }
      let changed = try await connect(address).json("PATCH", path, body: ["settings": settings])
      show(changed, json, WorkspaceText.sheet)
    case ("reset", 1...2):
      address.workspace = name
      show(try await connect(address).json("POST", "/api/v1/reset"), json) {
        ["reset the workspace \($0["id"]?.stringValue ?? "")"]
      }
    case ("delete", 2): try await connect(address).good("DELETE", path)
    default:
      throw UsageError(
        "workspace takes list, create [NAME], show [NAME], change [NAME], reset [NAME], or "
          + "delete NAME")
    }
    return 0
  }

  private static func connect(_ address: ConsoleAddress) async throws(CommandFailure)
    -> ConsoleClient
  {
    try await ConsoleClient.connect(address)
  }

  private static func checkFlags(
    _ action: String, _ arguments: ParsedArguments
  ) throws(UsageError) {
    let known = ["create": ["--settings", "--listener"], "change": ["--settings"]][action] ?? []
    let given = arguments.given(["--settings", "--listener"])
    if let other = given.first(where: { !known.contains($0) }) {
      throw UsageError("workspace \(action) takes no \(other)")
    }
  }

  private static func creation(
    name: String?, _ arguments: ParsedArguments
  ) throws(UsageError) -> JSONValue {
    var body = JSONObject()
    body["name"] = name.map { .string($0) }
    body["settings"] = try settings(arguments)
    if arguments.flag("--listener") { body["listener"] = true }
    return .object(body)
  }

  private static func settings(_ arguments: ParsedArguments) throws(UsageError) -> JSONValue? {
    guard let text = arguments.text("--settings") else { return nil }
    guard let value = try? JSONReader.parse(text.utf8), value.objectValue != nil else {
      throw UsageError("\(arguments.label("--settings")) takes a JSON object, not '\(text)'")
    }
    return value
  }

  private static func show(
    _ answer: JSONValue, _ asJSON: Bool, _ lines: (JSONValue) -> [String]
  ) {
    if asJSON { return Terminal.print(answer) }
    for line in lines(answer) { Terminal.print(line) }
  }
}

/// Workspaces as people read them in a terminal.
enum WorkspaceText {
  /// One line each.
  static func list(_ list: JSONValue) -> [String] {
    (list["items"]?.arrayValue ?? []).map { workspace in
      let count = workspace["devices"]?.intValue ?? 0
      return [
        text(workspace["id"]), text(workspace["gateway"]), text(workspace["project"]),
        "\(count) device\(count == 1 ? "" : "s")",
      ].filter { !$0.isEmpty }.joined(separator: "  ")
    }
  }

  /// A workspace, its settings in a line each.
  static func sheet(_ workspace: JSONValue) -> [String] {
    list(["items": [workspace]]) + ["now  \(text(workspace["now"]))"]
      + (workspace["settings"]?.objectValue?.members ?? []).map { name, value in
        "\(name)  \(String(decoding: value.serialized(), as: UTF8.self))"
      }
  }

  /// What a sender needs to push into a new workspace.
  static func creation(_ workspace: JSONValue) -> [String] {
    let apns = workspace["credentials"]?["apns"]
    let fcm = workspace["credentials"]?["fcm"]
    return [
      "made the workspace \(text(workspace["id"]))",
      "gateway  \(text(workspace["gateway"]))",
      "apns     key \(text(apns?["keyID"]))  team \(text(apns?["teamID"]))  \(text(apns?["file"]))",
      "fcm      project \(text(fcm?["projectID"]))  \(text(fcm?["file"]))",
      "files    pushpit credentials show FILE --workspace \(text(workspace["id"]))",
    ]
  }

  private static func text(_ value: JSONValue?) -> String {
    Terminal.printable(value?.stringValue ?? "")
  }
}
