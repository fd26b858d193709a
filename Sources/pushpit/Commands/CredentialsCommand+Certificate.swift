internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel

/// `pushpit credentials create-certificate`: the client certificate of a provider.
extension CredentialsCommand {
  static func createCertificate(
    _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) async throws {
    guard let app = arguments.text("--app") else {
      throw UsageError("create-certificate needs --app, a bundle ID such as com.example.app")
    }
    guard isBundleID(app) else {
      throw UsageError("--app takes a bundle ID such as com.example.app, not '\(app)'")
    }
    let out = arguments.text("--out")
    if let out, !out.hasSuffix(".p12") {
      throw UsageError(
        "--out takes the name of a file that ends with .p12, not '\(out)'; its .pem is beside it")
    }
    let kind = arguments.text("--kind").flatMap(CertificateMaker.Kind.init) ?? .universal
    let password = arguments.text("--password")
    let workspace = WorkspaceID(try ConsoleAddress(arguments).workspace ?? "default")
    let path = try await statePath(arguments, environment)
    let made: CertificateMaker.Made
    do throws(StateError) {
      let time = SystemTime()
      let maker = CertificateMaker(
        try StateFolder.open(path: path, hosts: [], time: time), time: time)
      made = try maker.make(
        app: app, kind: kind, environments: environments(arguments),
        path: out ?? maker.defaultPath(app: app, kind: kind),
        password: password ?? CredentialFile.defaultPassword, workspace: workspace)
    } catch {
      throw CommandFailure("\(error)")
    }
    let folder: String?
    do {
      folder = try await register(made.credential, arguments, environment)
    } catch let error as CommandFailure {
      throw CommandFailure(
        "made \(made.pkcs12Path), but nothing knows it yet: \(error.message); import it with "
          + "'pushpit credentials import'", isMisuse: error.isMisuse)
    }
    report(made, password: password, folder: folder, asJSON: arguments.flag("--json"))
  }

  /// The state folder whose authority signs: the one that was named, that of the gateway that answers
  /// when it is on this machine, else that of `serve`.
  static func statePath(
    _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) async throws -> String {
    if let path = arguments.text("--state") { return path }
    if let console = try? await ConsoleClient.connect(ConsoleAddress(arguments)) {
      let running = try await console.json("GET", "/api/v1/gateway")
      if let path = running["state"]?.stringValue, FileSystem.exists(path) { return path }
    }
    return try ServeCommand.defaultState(arguments, environment)
  }

  private static func report(
    _ made: CertificateMaker.Made, password: String?, folder: String?, asJSON: Bool
  ) {
    if asJSON {
      var object = made.credential.object
      object["pkcs12"] = .string(made.pkcs12Path)
      object["pem"] = .string(made.pemPath)
      // Only our own: who chose one knows it, and logs should not.
      if password == nil { object["password"] = .string(CredentialFile.defaultPassword) }
      Terminal.print(String(decoding: JSONValue.object(object).serialized(), as: UTF8.self))
      return
    }
    let secret =
      password == nil
      ? "with the password '\(CredentialFile.defaultPassword)'" : "with the password given"
    Terminal.print("made \(made.pkcs12Path) \(secret)")
    Terminal.print("made \(made.pemPath), certificate and key in clear text")
    Terminal.print(
      folder.map { "imported it into \($0), as no gateway answers" }
        ?? "the running gateway knows it")
  }

  /// Letters, digits, hyphens and periods, as Apple's page on CFBundleIdentifier says; at most 155.
  private static func isBundleID(_ text: String) -> Bool {
    (1...155).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
