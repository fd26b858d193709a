/// Where the console is and how to be let in.
struct ConsoleAddress: Sendable {
  let host: String
  let port: Int
  let token: String?
  /// The workspace that calls are about; nil for the default.
  var workspace: String?

  /// Reads `--console`, `--console-token` and `--workspace`.
  /// - Throws: `UsageError` when the URL is none of the form `http://HOST:PORT`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let text = arguments.text("--console") ?? "http://localhost:8197"
    let problem = UsageError("--console takes a URL such as http://localhost:8197, not '\(text)'")
    guard text.hasPrefix("http://") else { throw problem }
    var rest = text.dropFirst("http://".count)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains("/"), !rest.isEmpty else { throw problem }
    var host = rest
    var port = 80
    if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
      guard let number = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(number)
      else { throw problem }
      host = rest[..<colon]
      port = number
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw problem
    }
    guard !host.isEmpty else { throw problem }
    self.host = String(host)
    self.port = port
    token = arguments.text("--console-token")
    workspace = arguments.text("--workspace")
  }

  /// Host and port as a `Host` field has them.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  var url: String { "http://\(authority)" }

  /// What each call says of the workspace, when one was named.
  var query: [(String, String)] { workspace.map { [("workspace", $0)] } ?? [] }
}
