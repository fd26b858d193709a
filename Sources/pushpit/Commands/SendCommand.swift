internal import PushpitHTTPTypes
internal import PushpitJSON

/// `pushpit send apns|fcm`: sends one push as a provider would, with the gateway's own credentials.
enum SendCommand: Command {
  static let name = "send"
  static let summary = "send one push to the gateway, as a provider would"
  static let usage = "pushpit send apns|fcm --token TOKEN [--title TEXT] [--body TEXT] [options]"
  static let positionalLimit = 1
  static let options =
    consoleOptions + [
      OptionSpecification("--token", "TOKEN", "device token (apns) or registration token (fcm)"),
      OptionSpecification("--title", "TEXT", "title of the notification"),
      OptionSpecification("--body", "TEXT", "text of the notification"),
      OptionSpecification("--payload", "JSON|@FILE", "the whole payload (apns) or message (fcm)"),
      OptionSpecification(
        "--topic", "TOPIC", "apns: the topic (default com.example.app); fcm: a topic"),
      OptionSpecification("--push-type", "TYPE", "apns: the push type (default alert)"),
      OptionSpecification("--priority", "N", "apns: 10, 5 or 1"),
      OptionSpecification("--expiration", "SECONDS", "apns: seconds since 1970, or 0"),
      OptionSpecification("--collapse-id", "ID", "apns: collapse id, at most 64 bytes"),
      OptionSpecification("--id", "UUID", "apns: the apns-id"),
      OptionSpecification(
        "--project", "ID", "fcm: the project (default that of the service account)"),
      OptionSpecification(
        "--state", "DIR", "state folder with the credentials (default: the gateway's)"),
    ]

  static func run(_ arguments: ParsedArguments, _ environment: EnvironmentLookup) async throws
    -> Int32
  {
    guard let service = arguments.positionals.first, service == "apns" || service == "fcm" else {
      throw UsageError("send takes apns or fcm")
    }
    try checkTarget(of: service, arguments)
    let setup = try await SenderSetup.find(arguments, environment)
    let sent =
      service == "apns"
      ? try await APNsSender(setup).send(arguments) : try await FCMSender(setup).send(arguments)
    if arguments.flag("--json") {
      Terminal.print(String(decoding: sent.json.serialized(), as: UTF8.self))
    } else {
      Terminal.print(sent.line)
    }
    guard !sent.isAccepted else { return 0 }
    await explain(sent, arguments)
    return 1
  }

  /// Misuse is told before a gateway is looked for.
  private static func checkTarget(of service: String, _ arguments: ParsedArguments)
    throws(UsageError)
  {
    let names = service == "apns" ? ["--token"] : ["--token", "--topic", "--payload"]
    guard names.allSatisfy({ arguments.text($0) == nil }) else { return }
    throw UsageError("send \(service) needs \(names.joined(separator: " or "))")
  }

  /// Shows what the gateway recorded about a refusal; without a console the answer must do.
  private static func explain(_ sent: SentPush, _ arguments: ParsedArguments) async {
    guard !arguments.flag("--json"), let address = try? ConsoleAddress(arguments),
      let console = try? await ConsoleClient.connect(address),
      let list = try? await console.json(
        "GET", "/api/v1/envelopes",
        [("outcome", "rejected"), ("limit", "1")]
          + (sent.token.isEmpty ? [] : [("token", sent.token)])),
      let diagnosis = list.pointer("/items/0/diagnosis"), diagnosis.objectValue != nil
    else { return }
    let code = diagnosis["code"]?.stringValue ?? ""
    Terminal.print("  \(code): \(diagnosis["what"]?.stringValue ?? "")")
    Terminal.print("  fix: \(diagnosis["fix"]?.stringValue ?? "")")
  }
}

/// What became of a push that a command sent.
struct SentPush: Sendable {
  let token: String
  let status: Int
  /// `apns-id` or message name of an accepted push, the vendor's body of a refused one.
  let answer: String

  var isAccepted: Bool { status == 200 }

  /// `200 projects/...` or `400 {"reason":"BadDeviceToken"}`.
  var line: String { "\(status) \(answer)" }

  var json: JSONValue {
    .object(JSONObject(["status": .int(status), "answer": .string(answer)]))
  }
}
