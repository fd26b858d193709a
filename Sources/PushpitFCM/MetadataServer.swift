import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// The metadata server of Compute Engine, as far as libraries ask it for a project and for tokens.
///
/// Paths and types as google-auth 2.63 and gcp-metadata ask for them (Google: About VM metadata).
/// Every machine has one account: that of the gateway's own project.
struct MetadataServer {
  /// Where the metadata begins.
  static let root = "/computeMetadata/v1"
  /// What a machine's account may do unless its owner says otherwise.
  private static let standardScopes = ["https://www.googleapis.com/auth/cloud-platform"]
  private static let text: StaticString = "application/text"
  private static let json: StaticString = "application/json"

  let account: ServiceAccount
  let workspaces: WorkspaceDirectory
  let accessTokens: AccessTokens

  /// Answers a request for a decoded path.
  func answer(
    _ request: PushRequest, path: String, outcome: inout PushOutcome
  ) -> FCMAnswer {
    outcome.workspace = account.workspace
    let flavor = request.head.fields.value("metadata-flavor")
    guard let flavor, flavor.elementsEqual("Google".utf8) else {
      outcome.diagnosis = FCMDiagnoses.metadataFlavorMissing
      return .metadata(
        403, type: "text/plain; charset=UTF-8",
        Array("Missing required header: Metadata-Flavor: Google\n".utf8))
    }
    let query = PercentCoding.pairs(request.head.query)
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    if path.isEmpty { return Self.list(["computeMetadata/"]) }
    let rest = path.dropFirst(Self.root.count).split(separator: "/").map(String.init)
    switch rest {
    case []: return Self.list(["instance/", "project/", "universe/"])
    case ["project"]: return Self.list(["numeric-project-id", "project-id"])
    case ["project", "project-id"]: return Self.text(account.projectID)
    case ["project", "numeric-project-id"]: return Self.text(account.projectNumber)
    case ["universe"]: return Self.list(["universe-domain"])
    case ["universe", "universe-domain"]: return Self.text("googleapis.com")
    case ["instance"]: return Self.list(["service-accounts/"])
    default: break
    }
    if rest.starts(with: ["instance", "service-accounts"]),
      let found = serviceAccounts(rest.dropFirst(2), query, receivedAt: request.receivedAt)
    {
      return found
    }
    outcome.diagnosis = FCMDiagnoses.metadataUnknown(path)
    return .pathNotFound(Array(request.head.path))
  }

  /// What is under `instance/service-accounts`; nil when nothing is there.
  private func serviceAccounts(
    _ path: ArraySlice<String>, _ query: [(name: String, value: String)], receivedAt: Timestamp
  ) -> FCMAnswer? {
    let isRecursive = query.last { $0.name == "recursive" }?.value.lowercased() == "true"
    guard let name = path.first else {
      return isRecursive
        ? Self.json(["default": description, account.clientEmail: description])
        : Self.list(["default/", "\(account.clientEmail)/"])
    }
    guard name == "default" || name == account.clientEmail, path.count <= 2 else { return nil }
    switch path.dropFirst().first {
    case nil:
      return isRecursive
        ? .metadata(200, type: Self.json, description.serialized())
        : Self.list(["aliases", "email", "scopes", "token"])
    case "aliases": return Self.list(["default"])
    case "email": return Self.text(account.clientEmail)
    case "scopes": return Self.list(Self.standardScopes)
    case "token":
      let asked = query.last { $0.name == "scopes" }?.value ?? ""
      let scopes = asked.split { $0 == "," || $0 == " " }.map(String.init)
      return token(scopes.isEmpty ? Self.standardScopes : scopes, receivedAt: receivedAt)
    default: return nil
    }
  }

  private var description: JSONValue {
    [
      "aliases": ["default"], "email": .string(account.clientEmail),
      "scopes": .array(Self.standardScopes.map { .string($0) }),
    ]
  }

  private func token(_ scopes: [String], receivedAt: Timestamp) -> FCMAnswer {
    let workspace = workspaces[account.workspace]
    let token = accessTokens.grant(
      to: account, scopes: scopes, now: workspace.time(at: receivedAt),
      lifetime: workspace.fcm.accessTokenLifetime)
    return Self.json([
      "access_token": .string(token.text), "expires_in": .int(token.expiresIn),
      "token_type": "Bearer",
    ])
  }

  private static func list(_ lines: [String]) -> FCMAnswer {
    .metadata(200, type: text, Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  private static func text(_ value: String) -> FCMAnswer {
    .metadata(200, type: text, Array(value.utf8))
  }

  private static func json(_ members: KeyValuePairs<String, JSONValue>) -> FCMAnswer {
    .metadata(200, type: json, JSONValue.object(JSONObject(members)).serialized())
  }
}
