internal import PushpitCrypto
internal import PushpitGateway
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// Where the gateway is and what a sender needs to be let in: from the console when it answers, and
/// from the state folder.
struct SenderSetup: Sendable {
  /// What a service account's file says.
  struct Account: Sendable {
    let projectID: String
    let clientEmail: String
    let privateKeyID: String
    let privateKey: String
  }

  let gatewayHost: String
  let gatewayPort: Int
  /// Where the console answered.
  let consoleHost: String
  let consoleURL: String
  let state: StateFolder
  let nowSeconds: Int

  var gatewayAuthority: String {
    gatewayHost.contains(":") ? "[\(gatewayHost)]:\(gatewayPort)" : "\(gatewayHost):\(gatewayPort)"
  }
  var gatewayURL: String { "https://\(gatewayAuthority)" }
  var apnsKeyID: String { state.defaults.apnsKey.keyID }
  var apnsTeamID: String { state.defaults.apnsKey.teamID }
  var apnsKeyFile: String { state.paths.apnsKey(apnsKeyID) }
  var apnsTopic: String { DefaultCredentials.app }

  /// Asks the console, and opens the state folder it names or the one that was given.
  ///
  /// Without a console the folder must be given, and the ports are the default ones.
  /// - Throws: `CommandFailure` when neither is there.
  static func find(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> SenderSetup
  {
    let address = try ConsoleAddress(arguments)
    var running: JSONValue?
    var problem: CommandFailure?
    do throws(CommandFailure) {
      let console = try await ConsoleClient.connect(address)
      running = try await console.json("GET", "/api/v1/gateway")
    } catch {
      problem = error
    }
    guard let path = arguments.text("--state") ?? running?["state"]?.stringValue else {
      throw problem ?? CommandFailure("give the state folder with --state")
    }
    guard arguments.text("--state") != nil || FileSystem.exists(path) else {
      throw CommandFailure(
        "the gateway keeps its state in \(path), which is not on this machine; copy that folder "
          + "here and name it with --state")
    }
    let gateway = GatewayAddress(running?["gateway"]?.stringValue)
    let time = SystemTime()
    let state: StateFolder
    do throws(StateError) {
      state = try StateFolder.open(path: path, hosts: [], time: time)
    } catch {
      throw CommandFailure("\(error)")
    }
    return SenderSetup(
      gatewayHost: gateway.host, gatewayPort: gateway.port, consoleHost: address.host,
      consoleURL: running?["console"]?.stringValue ?? address.url, state: state,
      nowSeconds: Int(time.now.seconds))
  }

  /// Sends one request to the gateway on a connection of its own.
  ///
  /// Tried first where the console answered: a name of `--host` may be known to others only.
  /// - Throws: `CommandFailure` when no answer came.
  func request(_ head: RequestHead, body: [UInt8], protocols: [String]) async throws(CommandFailure)
    -> Response
  {
    var tls = ClientOptions.TLS(authorities: state.certificates.authority)
    tls.protocols = protocols
    do throws(HTTPClientError) {
      tls.serverName = gatewayHost
      let options = ClientOptions(tls: tls)
      let client: HTTPClient
      do throws(HTTPClientError) {
        client = try await HTTPClient.connect(to: consoleHost, port: gatewayPort, options)
      } catch {
        guard case .network = error, consoleHost != gatewayHost else { throw error }
        client = try await HTTPClient.connect(to: gatewayHost, port: gatewayPort, options)
      }
      let response = try await client.request(head, body: body)
      await client.close()
      return response
    } catch {
      throw CommandFailure("no answer from the gateway at \(gatewayURL): \(error)")
    }
  }

  /// The default service account with its private key.
  /// - Throws: `CommandFailure` when its file cannot be read.
  func serviceAccount() throws(CommandFailure) -> Account {
    let path = state.paths.serviceAccount
    guard let file = try? JSONReader.parse(try read(path)),
      let project = file["project_id"]?.stringValue, let email = file["client_email"]?.stringValue,
      let keyID = file["private_key_id"]?.stringValue, let key = file["private_key"]?.stringValue
    else { throw CommandFailure("\(path) is no service account's file") }
    return Account(projectID: project, clientEmail: email, privateKeyID: keyID, privateKey: key)
  }

  /// A file's bytes.
  /// - Throws: `CommandFailure` when it cannot be read.
  func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.contents(of: path)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// JSON given on the command line, or in a file when it begins with `@`.
  /// - Throws: `CommandFailure` when the file cannot be read.
  func payload(_ text: String) throws(CommandFailure) -> [UInt8] {
    text.hasPrefix("@") ? try read(String(text.dropFirst())) : Array(text.utf8)
  }

  /// The first two parts of a JSON web token (RFC 7515 section 5.1).
  static func signingInput(_ header: JSONObject, _ claims: JSONObject) -> String {
    [header, claims].map {
      Base64.encode(JSONValue.object($0).serialized(), url: true, padded: false)
    }.joined(separator: ".")
  }
}

/// Host and port of the gateway's URL; the default ones where no gateway said its own.
private struct GatewayAddress {
  let host: String
  let port: Int

  init(_ url: String?) {
    let authority = url?.dropFirst("https://".count) ?? ""
    let colon = authority.lastIndex(of: ":") ?? authority.endIndex
    let port = Int(authority[colon...].dropFirst())
    var host = port == nil ? "localhost" : authority[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.host = String(host)
    self.port = port ?? StateFolder.defaultPort
  }
}
