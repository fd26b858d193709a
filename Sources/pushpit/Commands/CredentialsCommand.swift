internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel

/// `pushpit credentials list|show|import|create...|delete`: what senders may authenticate with.
enum CredentialsCommand: Command {
  static let name = "credentials"
  static let summary =
    "list, show, delete, import (the public half of your own) or create credentials"
  static let usage =
    "pushpit credentials list | show NAME | delete NAME | import FILE [--team TEAM] [options]\n"
    + "  | create-certificate --app APP [options] | create-service-account [options]\n"
    + "  | create authorized-user|external-account"
  static let positionalLimit = 2
  static let options =
    consoleOptions + [
      OptionSpecification("--team", "TEAM", "APNs key: its team id, ten characters"),
      OptionSpecification("--key-id", "ID", "APNs key: its key id (default from AuthKey_<ID>.p8)"),
      OptionSpecification("--scope", choices: ["team", "topics"], "APNs key: what it is good for"),
      OptionSpecification("--topics", "A,B", "APNs key of scope topics: its topics"),
      OptionSpecification(
        "--environment", choices: ["sandbox", "production", "both"],
        "APNs key or new certificate: only for this environment (default both)"),
      OptionSpecification("--app", "APP", "new certificate: the app's bundle ID"),
      OptionSpecification(
        "--kind", choices: CertificateMaker.Kind.allCases.map(\.rawValue),
        "new certificate: all of an app's pushes or VoIP only (default universal)"),
      OptionSpecification(
        "--out", "FILE",
        "new: FILE.p12 of a certificate, its .pem beside it; FILE.json of an account (default state "
          + "folder)"),
      OptionSpecification(
        "--password", "PASSWORD",
        "of a .p12 file (default '\(CredentialFile.defaultPassword)', or none)"),
      OptionSpecification("--related", "ID", "APNs key: the key that may share its connections"),
      OptionSpecification("--project-number", "N", "service account: the project's number"),
      OptionSpecification(
        "--project", "ID", "new service account: its project (default the gateway's own)"),
      OptionSpecification(
        "--without-role", nil, "new service account: it may not send, as without a role at Google"),
      OptionSpecification(
        "--state", "DIR",
        "state folder: of list, in place of the gateway; else used when no gateway answers "
          + "(default that of serve)"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    switch (arguments.positionals.first, arguments.positionals.count) {
    case ("list", 1) where arguments.text("--state") != nil:
      try await listFolder(arguments, environment)
    case ("list", 1): try await list(arguments)
    case ("show", 2): try await show(arguments.positionals[1], arguments)
    case ("delete", 2): try await delete(arguments.positionals[1], arguments)
    case ("import", 2): try await importFile(arguments.positionals[1], arguments, environment)
    case ("create-certificate", 1): try await createCertificate(arguments, environment)
    case ("create-service-account", 1): try await createServiceAccount(arguments, environment)
    case ("create", 2): try await create(arguments.positionals[1], arguments)
    default:
      throw UsageError(
        "credentials takes list, show NAME, delete NAME, import FILE, create-certificate, "
          + "create-service-account, or create KIND"
      )
    }
    return 0
  }

  /// What the state folder has, without a gateway.
  private static func listFolder(
    _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) async throws {
    let state = try await SenderSetup.find(arguments, environment).state
    let all =
      state.apnsKeys.map(ImportedCredential.apnsKey)
      + state.serviceAccounts.map(ImportedCredential.serviceAccount)
      + state.providerCertificates.map(ImportedCredential.certificate)
    for credential in all {
      if arguments.flag("--json") {
        Terminal.print(
          String(decoding: JSONValue.object(credential.object).serialized(), as: UTF8.self))
        continue
      }
      switch credential {
      case .apnsKey(let key):
        let environments = key.environments.map(\.rawValue).joined(separator: " and ")
        let topics = key.topics.map { ", topics \($0.joined(separator: ", "))" } ?? ""
        Terminal.print("apns  key \(key.keyID)  team \(key.teamID)  \(environments)\(topics)")
      case .serviceAccount(let account):
        Terminal.print("fcm   project \(account.projectID)  \(account.clientEmail)")
      case .certificate(let certificate):
        let environments = certificate.environments.map(\.rawValue).joined(separator: " and ")
        let topics = certificate.topics.map(\.name).joined(separator: ", ")
        Terminal.print(
          "apns  certificate \(certificate.userID)  \(environments)"
            + (topics.isEmpty ? "" : ", topics \(topics)"))
      }
    }
  }

  private static func importFile(
    _ path: String, _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) async throws {
    if let scope = arguments.text("--scope"),
      (scope == "topics") != (arguments.text("--topics") != nil)
    {
      throw UsageError("--topics goes with --scope topics, and with no other")
    }
    let options = try options(arguments)
    let credential: ImportedCredential
    do throws(CredentialFile.Failure) {
      credential = try CredentialFile(path: path).credential(options)
    } catch {
      throw CommandFailure(error.description)
    }
    let folder = try await register(credential, arguments, environment)
    Terminal.print(
      "imported \(credential.name)"
        + (folder.map { " into \($0), as no gateway answers" } ?? ""))
  }

  /// Makes a credential known to the running gateway, else to a state folder, which is returned.
  static func register(
    _ credential: ImportedCredential, _ arguments: ParsedArguments,
    _ environment: EnvironmentLookup
  ) async throws -> String? {
    let address = try ConsoleAddress(arguments)
    if let console = try? await ConsoleClient.connect(address) {
      try await console.good("POST", path(address), body: .object(credential.object))
      return nil
    }
    let path = try arguments.text("--state") ?? ServeCommand.defaultState(arguments, environment)
    try addToFolder(credential, path)
    return path
  }

  /// Has the gateway make a credential file, and prints where it is.
  private static func create(_ kind: String, _ arguments: ParsedArguments) async throws {
    let kinds = ["authorized-user": "authorizedUser", "external-account": "externalAccount"]
    guard let name = kinds[kind] else {
      throw UsageError("credentials create takes authorized-user or external-account")
    }
    let address = try ConsoleAddress(arguments)
    let made = try await ConsoleClient.connect(address).json(
      "POST", path(address), body: ["kind": .string(name)])
    Terminal.print(
      arguments.flag("--json")
        ? String(decoding: made.serialized(.indented), as: UTF8.self)
        : made["path"]?.stringValue ?? "")
  }

  private static func addToFolder(_ credential: ImportedCredential, _ path: String) throws {
    do throws(StateError) {
      var state = try StateFolder.open(path: path, hosts: [], time: SystemTime())
      try state.add(credential)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  private static func options(_ arguments: ParsedArguments) throws -> CredentialFile.Options {
    var options = CredentialFile.Options()
    if let workspace = try ConsoleAddress(arguments).workspace {
      options.workspace = WorkspaceID(workspace)
    }
    options.teamID = arguments.text("--team")
    options.keyID = arguments.text("--key-id")
    options.relatedKeyID = arguments.text("--related")
    options.projectNumber = arguments.text("--project-number")
    options.environments = environments(arguments)
    options.password = arguments.text("--password")
    if let text = arguments.text("--topics") {
      options.topics = text.split(separator: ",").map { trimmed($0) }
    }
    return options
  }

  /// The environments that were named; both when none was.
  static func environments(_ arguments: ParsedArguments) -> [APNsEnvironment] {
    arguments.text("--environment").flatMap(APNsEnvironment.init).map { [$0] }
      ?? APNsEnvironment.allCases
  }
}
