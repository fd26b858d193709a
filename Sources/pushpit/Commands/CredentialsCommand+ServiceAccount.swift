internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel

/// `pushpit credentials create-service-account`: another account of the gateway's project, or one of
/// another project, with or without the role that lets it send.
extension CredentialsCommand {
  static func createServiceAccount(
    _ arguments: ParsedArguments, _ environment: EnvironmentLookup
  ) async throws {
    if let project = arguments.text("--project"), !isProjectID(project) {
      throw UsageError("--project takes a project ID such as my-project-1, not '\(project)'")
    }
    let gateway = try? await ConsoleClient.connect(ConsoleAddress(arguments))
      .json("GET", "/api/v1/gateway")["gateway"]?.stringValue
    let path = try await statePath(arguments, environment)
    let made: ServiceAccountMaker.Made
    do throws(StateError) {
      let state = try StateFolder.open(path: path, hosts: [], time: SystemTime())
      made = try ServiceAccountMaker(state).make(
        project: arguments.text("--project"), projectNumber: arguments.text("--project-number"),
        tokenURI: gateway.map { $0 + "/token" }, mayPush: !arguments.flag("--without-role"),
        path: arguments.text("--out"), workspace: .default)
    } catch {
      throw CommandFailure("\(error)")
    }
    let folder = try await register(made.credential, arguments, environment)
    guard !arguments.flag("--json") else {
      var object = made.credential.object
      object["path"] = .string(made.path)
      Terminal.print(String(decoding: JSONValue.object(object).serialized(), as: UTF8.self))
      return
    }
    Terminal.print("made \(made.path)")
    Terminal.print(
      folder.map { "imported it into \($0), as no gateway answers" }
        ?? "the running gateway knows it")
  }

  /// 6 to 30 lower-case letters, digits and hyphens that begin with a letter (Google: Creating and
  /// managing projects).
  private static func isProjectID(_ text: String) -> Bool {
    (6...30).contains(text.utf8.count) && text.first?.isLowercase == true
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
