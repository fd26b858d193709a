internal import PushpitGateway
internal import PushpitJSON
internal import PushpitModel

/// `pushpit env`: the shell lines that point SDKs at the gateway, or the same as JSON.
enum EnvCommand: Command {
  static let name = "env"
  static let summary = "print the shell lines that point SDKs at the gateway"
  static let usage = "eval \"$(pushpit env [--metadata] [--state DIR])\""
  static let options =
    consoleOptions + [
      OptionSpecification(
        "--metadata", nil,
        "for senders without a credential file: the metadata server's variables in its place"),
      OptionSpecification(
        "--state", "DIR", "state folder (default the running gateway's); needs no gateway"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    let setup = try await SenderSetup.find(arguments, environment)
    if arguments.flag("--json") {
      Terminal.print(String(decoding: json(setup).serialized(.indented), as: UTF8.self))
    } else {
      for (name, value) in lines(setup, metadata: arguments.flag("--metadata")) {
        Terminal.print("export \(name)=\(quoted(value))")
      }
    }
    return 0
  }

  private static func json(_ setup: SenderSetup) -> JSONValue {
    [
      "gateway": .string(setup.gatewayURL),
      "console": .string(setup.consoleURL),
      "ca": .string(setup.state.paths.authority),
      "caBundle": .string(setup.state.paths.authorityBundle),
      "apns": [
        "keyFile": .string(setup.apnsKeyFile), "keyID": .string(setup.apnsKeyID),
        "teamID": .string(setup.apnsTeamID), "topic": .string(setup.apnsTopic),
      ],
      "fcm": [
        "projectID": .string(setup.state.defaults.serviceAccount.projectID),
        "serviceAccount": .string(setup.state.paths.serviceAccount),
        "package": .string(DefaultCredentials.app),
        "metadataHost": .string(setup.gatewayAuthority),
      ],
    ]
  }

  /// The trust store variables replace the system's roots, so they get the bundle that has both;
  /// Node's adds to its own.
  ///
  /// The metadata server's are not for everybody: with them Google's libraries take the machine for
  /// one of Compute Engine, and they are of use only where there is no credential file.
  private static func lines(_ setup: SenderSetup, metadata: Bool) -> [(String, String)] {
    let paths = setup.state.paths
    let google =
      metadata
      ? metadataVariables.map { ($0, setup.gatewayAuthority) }
      : [("GOOGLE_APPLICATION_CREDENTIALS", paths.serviceAccount)]
    return [
      ("PUSHPIT_GATEWAY", setup.gatewayURL),
      ("PUSHPIT_CONSOLE", setup.consoleURL),
      ("SSL_CERT_FILE", paths.authorityBundle),
      ("REQUESTS_CA_BUNDLE", paths.authorityBundle),
      ("CURL_CA_BUNDLE", paths.authorityBundle),
      ("NODE_EXTRA_CA_CERTS", paths.authority),
      ("APNS_KEY_FILE", setup.apnsKeyFile),
      ("APNS_KEY_ID", setup.apnsKeyID),
      ("APNS_TEAM_ID", setup.apnsTeamID),
      ("APNS_TOPIC", setup.apnsTopic),
      ("FCM_PROJECT_ID", setup.state.defaults.serviceAccount.projectID),
    ] + google
  }

  /// Where Google's libraries look for the metadata server; the address for their first question is
  /// taken as host and port too (google-auth 2.63).
  private static let metadataVariables = [
    "GCE_METADATA_HOST", "GCE_METADATA_IP", "GCE_METADATA_ROOT",
  ]

  /// A word of the shell: in single quotation marks where it needs them (POSIX, section 2.2.2).
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-:@%+".utf8.contains(byte)
      }
    }
    guard !isPlain || text.isEmpty else { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
