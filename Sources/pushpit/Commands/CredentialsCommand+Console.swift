internal import PushpitHTTPTypes
internal import PushpitJSON

/// The credentials of a running gateway's workspace.
extension CredentialsCommand {
  /// Prints a line for each, or the console's list.
  static func list(_ arguments: ParsedArguments) async throws {
    let address = try ConsoleAddress(arguments)
    let list = try await ConsoleClient.connect(address).json("GET", path(address))
    guard !arguments.flag("--json") else { return Terminal.print(list) }
    for credential in list["items"]?.arrayValue ?? [] { Terminal.print(line(credential)) }
  }

  /// Prints the file that senders use.
  static func show(_ name: String, _ arguments: ParsedArguments) async throws {
    let address = try ConsoleAddress(arguments)
    let file = try await ConsoleClient.connect(address).good("GET", path(address, name))
    Terminal.write(file.body)
  }

  /// Removes one: what it signs is refused from then on.
  static func delete(_ name: String, _ arguments: ParsedArguments) async throws {
    let address = try ConsoleAddress(arguments)
    try await ConsoleClient.connect(address).good("DELETE", path(address, name))
  }

  /// The path of a workspace's credentials, or of one.
  static func path(_ address: ConsoleAddress, _ name: String? = nil) -> String {
    let workspace = PercentCoding.encode(address.workspace ?? "default")
    return "/api/v1/workspaces/\(workspace)/credentials"
      + (name.map { "/" + PercentCoding.encode($0) } ?? "")
  }

  private static func line(_ credential: JSONValue) -> String {
    func text(_ name: String) -> String? {
      credential[name]?.stringValue.map(Terminal.printable)
    }
    func list(_ name: String, _ separator: String) -> String? {
      credential[name]?.arrayValue?.compactMap(\.stringValue).joined(separator: separator)
    }
    let parts: [String?] =
      switch text("kind") {
      case "apnsKey":
        [
          "apns", "key " + (text("keyID") ?? ""), "team " + (text("teamID") ?? ""),
          list("environments", " and "), list("topics", ", ").map { "topics " + $0 },
        ]
      case "certificate": ["apns", "certificate", text("subject"), list("environments", " and ")]
      case "serviceAccount":
        ["fcm", "project " + (text("projectID") ?? ""), text("serviceAccount")]
      case let kind: [kind, text("projectID").map { "project " + $0 }]
      }
    return (parts + [text("name")]).compactMap { $0 }.joined(separator: "  ")
  }
}
