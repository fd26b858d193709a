import PushpitJSON
import PushpitModel

/// `POST /v1/projects/{project}/messages:send`: credential, body, message, token, in this order.
final class MessageSender {
  private let authentication: SenderAuthentication
  private let credentials: CredentialDirectory
  private let workspaces: WorkspaceDirectory
  private let tokens: TokenRegistry
  private let time: any TimeSource
  private let relay: MessageRelay
  private let messageIDs: MessageIDs
  private var quotas = FCMQuotas()

  init(
    authentication: SenderAuthentication, credentials: CredentialDirectory,
    workspaces: WorkspaceDirectory, tokens: TokenRegistry, random: RandomSource,
    time: any TimeSource, relay: MessageRelay
  ) {
    self.authentication = authentication
    self.credentials = credentials
    self.workspaces = workspaces
    self.tokens = tokens
    self.time = time
    self.relay = relay
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
    let workspace = workspaces[account.workspace]
    try checkProject(account, workspace, at: request.receivedAt)
    let wantsName = try QueryParameters(request.head).wantsName()
    let message = FCMMessage(
      request: try MessageBody.read(request.body, as: MessageSchema.sendMessageRequest))
    describe(message, in: &outcome)
    let isSizeAsDocumented =
      workspace.policies.wire == .documented || workspace.fcm.sizeLimit == .documented
    let rules = MessageRules(
      isSizeAsDocumented: isSizeAsDocumented,
      platform: { [tokens] in tokens.record(of: $0)?.platform },
      workspace: workspace)
    // What is no token and passes the rules is the key of a device group.
    let isNotificationKey = if case .malformed? = outcome.tokenKind { true } else { false }
    let id: String
    switch try rules.check(message) {
    case .token(let key, _) where isNotificationKey:
      id = try sendToGroup(message, key, account, request, outcome: &outcome)
    case .token(let token, _):
      id = try sendToToken(message, token, account, request, outcome: &outcome)
    case .topic(let topic):
      id = try sendToTopic(
        message, topic, TopicSelection(topic: topic), account, request, outcome: &outcome)
    case .condition(let text):
      // The rules have read it already.
      guard let condition = TopicCondition(text) else {
        throw FCMRefusal(.conditionInvalid, FCMDiagnoses.conditionInvalid(text))
      }
      id = try sendToTopic(
        message, text, condition.selection, account, request, outcome: &outcome)
    }
    let name = Array("projects/\(project)/messages/\(id)".utf8)
    outcome.messageName = name[...]
    return wantsName ? name : []
  }

  private func sendToToken(
    _ message: FCMMessage, _ token: [UInt8], _ account: ServiceAccount, _ request: PushRequest,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> String {
    let found = try TokenLookup(tokens: tokens, workspaces: workspaces).find(
      token, for: account, isValidationOnly: message.isValidationOnly, at: request.receivedAt)
    if let record = found.record { try Self.checkPackageName(message, record) }
    outcome.app = found.record?.app
    outcome.warnings += found.warnings
    // Validation does not ask APNs: a dry run succeeded where the send got THIRD_PARTY_AUTH_ERROR (seen
    // in the wild).
    guard !message.isValidationOnly else { return MessageIDs.validationOnly }
    let workspace = workspaces[account.workspace]
    try checkDevice(token, workspace, at: request.receivedAt)
    let id = messageIDs.tokenMessage(
      platform: found.record?.platform, now: workspace.clock.time(at: time.now))
    guard let record = found.record, let apnsToken = record.apnsToken else {
      outcome.recipient = found.record
      accept(found.record?.platform == .web ? .web(message) : .android(message), in: &outcome)
      if found.record?.platform == .android, message.isForAppleOnly {
        outcome.warnings.append(FCMDiagnoses.appleMessageToAndroid(token))
      }
      return id
    }
    outcome.environment = apnsToken.environment
    do throws(APNsRelay.Refusal) {
      let (push, recipient) = try relay.pass(
        message, to: record, at: apnsToken, messageID: id, from: account, in: workspace,
        receivedAt: request.receivedAt)
      outcome.recipient = recipient
      outcome.deviceMessage = push.payload
      outcome.expiration = push.expiration
      outcome.collapse = push.collapse
    } catch {
      throw MessageRelay.answer(to: error, of: message, wire: workspace.policies.wire)
    }
    return id
  }

  private func sendToGroup(
    _ message: FCMMessage, _ key: [UInt8], _ account: ServiceAccount, _ request: PushRequest,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> String {
    let workspace = workspaces[account.workspace]
    let group = try group(of: key, account, workspace)
    guard !message.isValidationOnly else { return MessageIDs.validationOnly }
    try checkDevice(key, workspace, at: request.receivedAt)
    let id = messageIDs.tokenMessage(platform: nil, now: workspace.clock.time(at: time.now))
    accept(message, to: .group(group.members), from: account, request, id, in: &outcome)
    return id
  }

  private func sendToTopic(
    _ message: FCMMessage, _ text: String, _ selection: TopicSelection, _ account: ServiceAccount,
    _ request: PushRequest, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> String {
    let id = messageIDs.topicMessage()
    if !message.isValidationOnly {
      try checkTopic(text, workspaces[account.workspace], at: request.receivedAt)
      accept(message, to: .topics(selection), from: account, request, id, in: &outcome)
    }
    return id
  }

  /// The device group of a notification key; that another project's key is answered as another
  /// project's token is assumed.
  private func group(
    of key: [UInt8], _ account: ServiceAccount, _ workspace: Workspace
  ) throws(FCMRefusal) -> DeviceGroup {
    guard let group = workspace.groups[key], account.owns(project: group.project) else {
      throw FCMRefusal(.senderIDMismatch, FCMDiagnoses.groupOfOtherProject(key, account))
    }
    return group
  }

  /// What the front end asks of a project before it reads the body; that it does so after the
  /// permission is assumed.
  private func checkProject(
    _ account: ServiceAccount, _ workspace: Workspace, at time: Timestamp
  ) throws(FCMRefusal) {
    let settings = workspace.fcm
    guard settings.isAPIEnabled else {
      throw FCMRefusal(
        .apiDisabled(projectNumber: account.projectNumber), FCMDiagnoses.apiDisabled(account))
    }
    guard let limit = settings.quotas?.projectPerMinute else { return }
    let wait = quotas.secondsToWait(
      .project, Array(account.projectID.utf8), of: workspace.id, perMinute: limit, at: time)
    guard let wait else { return }
    throw FCMRefusal(
      .projectQuotaExceeded(projectNumber: account.projectNumber, retryAfter: wait),
      FCMDiagnoses.quotaExceeded(
        "the project \(account.projectID)", perMinute: limit, wait: wait))
  }

  private func checkDevice(
    _ token: [UInt8], _ workspace: Workspace, at time: Timestamp
  ) throws(FCMRefusal) {
    guard let limit = workspace.fcm.quotas?.devicePerMinute else { return }
    let wait = quotas.secondsToWait(
      .device, token, of: workspace.id, perMinute: limit, at: time)
    guard let wait else { return }
    throw FCMRefusal(
      .deviceQuotaExceeded(retryAfter: wait),
      FCMDiagnoses.deviceQuotaExceeded(token, perMinute: limit, wait: wait))
  }

  private func checkTopic(
    _ topic: String, _ workspace: Workspace, at time: Timestamp
  ) throws(FCMRefusal) {
    guard let limit = workspace.fcm.quotas?.topicPerMinute else { return }
    let wait = quotas.secondsToWait(
      .topic, Array(topic.utf8), of: workspace.id, perMinute: limit, at: time)
    guard let wait else { return }
    throw FCMRefusal(
      .topicQuotaExceeded(retryAfter: wait),
      FCMDiagnoses.quotaExceeded("the topic \(topic)", perMinute: limit, wait: wait))
  }

  /// Google: `restricted_package_name` must match the token's package.
  private static func checkPackageName(
    _ message: FCMMessage, _ record: TokenRecord
  ) throws(FCMRefusal) {
    guard let android = message.android,
      let name = android.config["restricted_package_name"]?.stringValue, !name.isEmpty,
      record.platform == .android, let app = record.app, app != name
    else { return }
    throw FCMRefusal(
      .packageNameMismatch(field: "message.\(android.name).restricted_package_name"),
      FCMDiagnoses.packageNameMismatch(name, record))
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
    let token = LenientJSONReader.value(request.body)?["message"]?["token"]?.stringValue
    return token.flatMap { tokens.record(of: Array($0.utf8)) }?.workspace ?? .default
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

  /// Puts into the outcome what delivery to one device needs.
  private func accept(_ part: DeviceMessage, in outcome: inout PushOutcome) {
    outcome.deviceMessage = part.payload
    outcome.collapse = part.collapse[...]
    outcome.timeToLive = part.timeToLive
  }

  /// Puts into the outcome what delivery to many devices needs, of any platform.
  private func accept(
    _ message: FCMMessage, to recipients: FanOut.Recipients, from account: ServiceAccount,
    _ request: PushRequest, _ id: String, in outcome: inout PushOutcome
  ) {
    accept(.android(message), in: &outcome)
    let workspace = workspaces[account.workspace]
    let receivedAt = request.receivedAt
    outcome.fanOut = FanOut(message, to: recipients, from: account) {
      [relay] record throws(APNsRelay.Refusal) in
      try relay.message(
        message, to: record, messageID: id, from: account, in: workspace, receivedAt: receivedAt)
    }
  }
}
