import PushpitJSON
import PushpitModel

/// `POST /v1/projects/{project}/messages:send`: credential, body, message, token, in this order.
final class MessageSender {
  private let authentication: SenderAuthentication
  private let credentials: CredentialDirectory
  private let workspaces: WorkspaceDirectory
  private let tokens: TokenRegistry
  private let time: any TimeSource
  private let messageIDs: MessageIDs

  init(
    authentication: SenderAuthentication, credentials: CredentialDirectory,
    workspaces: WorkspaceDirectory, tokens: TokenRegistry, random: RandomSource,
    time: any TimeSource
  ) {
    self.authentication = authentication
    self.credentials = credentials
    self.workspaces = workspaces
    self.tokens = tokens
    self.time = time
    messageIDs = MessageIDs(random: random)
  }

  /// Answers a send request.
  func answer(_ request: PushRequest, project: String, outcome: inout PushOutcome) -> FCMAnswer {
    outcome.project = Array(project.utf8)[...]
    do {
      return .sent(messageName: try send(request, project: project, outcome: &outcome))
    } catch {
      outcome.reason = error.error.reason
      outcome.googleStatus = error.error.status.rawValue
      outcome.diagnosis = error.diagnosis
      return .failed(error.error)
    }
  }

  private func send(
    _ request: PushRequest, project: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8] {
    let account = try authenticate(request, project: project, outcome: &outcome)
    let message = try read(request.body)
    describe(message, in: &outcome)
    let rules = MessageRules(
      wire: workspaces[account.workspace].policies.wire,
      platform: { [tokens] in tokens.record(of: $0)?.platform })
    let id: String
    switch try rules.check(message) {
    case .token(let token, _):
      let found = try TokenLookup(tokens: tokens, workspaces: workspaces)
        .find(token, for: account, isValidationOnly: message.isValidationOnly)
      outcome.warnings += found.warnings
      outcome.app = found.record?.app
      let now = workspaces[account.workspace].clock.time(at: time.now)
      id =
        message.isValidationOnly
        ? MessageIDs.validationOnly
        : messageIDs.tokenMessage(platform: found.record?.platform, now: now)
      if !message.isValidationOnly { accept(message, to: found.record, in: &outcome) }
    case .topic, .condition:
      id = messageIDs.topicMessage()
      if !message.isValidationOnly {
        outcome.isFanOut = true
        accept(message, to: nil, in: &outcome)
      }
    }
    let name = Array("projects/\(project)/messages/\(id)".utf8)
    outcome.messageName = name[...]
    return name
  }

  private func authenticate(
    _ request: PushRequest, project: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> ServiceAccount {
    let token: AccessToken
    do {
      token = try authentication.token(of: request, outcome: &outcome)
    } catch {
      outcome.workspace = presumedWorkspace(request, project: project)
      throw error
    }
    outcome.workspace = token.account.workspace
    try authentication.check(token, project: project, receivedAt: request.receivedAt)
    return token.account
  }

  /// The workspace of a request whose sender is not known: of the path's project, else of the token.
  private func presumedWorkspace(_ request: PushRequest, project: String) -> WorkspaceID {
    if let account = credentials.serviceAccount(project: project) { return account.workspace }
    let token = (try? JSONReader.parse(request.body))?["message"]?["token"]?.stringValue
    return token.flatMap { tokens.record(of: Array($0.utf8)) }?.workspace ?? .default
  }

  private func read(_ body: [UInt8]) throws(FCMRefusal) -> FCMMessage {
    // An empty body is an empty message (measured at the front end in 2026).
    guard !body.isEmpty else { return FCMMessage(request: JSONObject()) }
    let root: JSONValue
    do {
      root = try JSONReader.parse(body)
    } catch {
      throw FCMRefusal(.invalidJSON(body, error), FCMDiagnoses.bodyNotJSON(error))
    }
    var reader = MessageReader()
    let fields = reader.read(root, as: MessageSchema.sendMessageRequest)
    guard reader.violations.isEmpty else {
      throw FCMRefusal(
        .invalidFields(reader.violations), FCMDiagnoses.fieldsInvalid(reader.violations))
    }
    return FCMMessage(request: fields)
  }

  /// Puts into the record whom the message names, whatever becomes of it.
  private func describe(_ message: FCMMessage, in outcome: inout PushOutcome) {
    switch message.target {
    case .token(let token, _):
      outcome.token = token[...]
      outcome.tokenKind = TokenShape.kind(of: token)
    case .topic(let text), .condition(let text):
      outcome.topic = Array(text.utf8)[...]
    case nil: break
    }
  }

  /// Puts into the outcome what delivery needs.
  private func accept(
    _ message: FCMMessage, to record: TokenRecord?, in outcome: inout PushOutcome
  ) {
    outcome.recipient = record
    outcome.deviceMessage = EffectiveMessage(message, platform: record?.platform).json
    switch record?.platform {
    case .ios:
      outcome.collapse = Array((message.header("apns-collapse-id", of: "apns") ?? "").utf8)[...]
      outcome.expiration = message.header("apns-expiration", of: "apns").flatMap { Int64($0) }
    case .web:
      let seconds = message.header("ttl", of: "webpush").flatMap { Int64($0) }
      outcome.timeToLive = seconds.map { .seconds($0) }
    case .android, nil:
      let config = message.android?.config
      outcome.collapse = Array((config?["collapse_key"]?.stringValue ?? "").utf8)[...]
      if let text = config?["ttl"]?.stringValue, let ttl = try? ProtoDuration.parse(text) {
        // Google: "rounded down to the nearest second".
        outcome.timeToLive = .seconds(ttl.components.seconds)
      }
    }
  }
}
