import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// `POST /v1/projects/{project}/messages:send`: credential, body, message, token, in this order.
///
/// No run-time exclusivity checks on the hot path's property: all accesses happen on the loop's thread,
/// and nothing is called while it changes.
final class MessageSender {
  private let authentication: SenderAuthentication
  private let credentials: CredentialDirectory
  private let workspaces: WorkspaceDirectory
  private let tokens: TokenRegistry
  private let lookup: TokenLookup
  private let time: any TimeSource
  private let relay: MessageRelay
  private let messageIDs: MessageIDs
  private let plainMessages = PlainMessageReader()
  /// The registration token of the current plain message, the key into the registry.
  @exclusivity(unchecked) private var plainToken: [UInt8] = []
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
    lookup = TokenLookup(tokens: tokens, workspaces: workspaces)
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
    let accessToken = try authenticate(request, project: project, outcome: &outcome)
    let workspace = workspaces[accessToken.account.workspace]
    try checkProject(accessToken.account, workspace, at: request.receivedAt)
    let wantsName =
      request.head.hasQuery ? try QueryParameters(request.head).wantsName() : true
    let name: [UInt8]
    if let plain = try sendPlain(
      request, accessToken, workspace, project: project, outcome: &outcome)
    {
      name = plain
    } else {
      name = try send(
        request, accessToken.account, workspace, project: project, outcome: &outcome)
    }
    outcome.messageName = name[...]
    return wantsName ? name : []
  }

  /// Sends a plain message to an Android device; nil when it is anything else.
  ///
  /// What is read and checked here comes to the same as in `send`, in less time.
  private func sendPlain(
    _ request: PushRequest, _ accessToken: AccessToken, _ workspace: Workspace, project: String,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8]? {
    guard let message = plainMessages.read(request.body) else { return nil }
    plainToken.removeAll(keepingCapacity: true)
    request.body.withUnsafeBufferPointer { plainToken.append(copying: $0[at: message.token]) }
    guard let record = tokens.record(of: plainToken), case .android? = record.platform,
      record.device != nil, record.isPlainRegistrationToken
    else { return nil }
    outcome.token = request.body[message.token]
    outcome.tokenKind = .fcm
    let warnings = try lookup.check(
      record, for: accessToken.account, isValidationOnly: false, at: request.receivedAt)
    outcome.app = record.app
    outcome.warnings = warnings
    try checkDevice(plainToken, workspace, at: request.receivedAt)
    outcome.recipient = record
    outcome.deviceMessage = message.payload
    if !message.collapse.isEmpty { outcome.collapse = request.body[message.collapse] }
    outcome.collapsesByApp = message.collapsesByApp
    outcome.timeToLive = message.timeToLive.map { .seconds($0) }
    outcome.manner.isUrgent = message.isUrgent
    let now = workspace.time(at: time.now)
    return messageIDs.tokenMessage(platform: .android, now: now, in: project)
  }

  private func send(
    _ request: PushRequest, _ account: ServiceAccount, _ workspace: Workspace, project: String,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8] {
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
    switch try rules.check(message) {
    case .token(let key, _) where isNotificationKey:
      return try sendToGroup(message, key, account, request, project, outcome: &outcome)
    case .token(let token, _):
      return try sendToToken(message, token, account, request, project, outcome: &outcome)
    case .topic(let topic):
      return try sendToTopic(
        message, topic, TopicSelection(topic: topic), account, request, project,
        outcome: &outcome)
    case .condition(let text):
      // The rules have read it already.
      guard let condition = TopicCondition(text) else {
        throw FCMRefusal(.conditionInvalid, FCMDiagnoses.conditionInvalid(text))
      }
      return try sendToTopic(
        message, text, condition.selection, account, request, project, outcome: &outcome)
    }
  }

  private func sendToToken(
    _ message: FCMMessage, _ token: [UInt8], _ account: ServiceAccount, _ request: PushRequest,
    _ project: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8] {
    let found = try lookup.find(
      token, for: account, isValidationOnly: message.isValidationOnly, at: request.receivedAt)
    if let record = found.record { try Self.checkPackageName(message, record) }
    outcome.app = found.record?.app
    outcome.warnings += found.warnings
    // Validation does not ask APNs: a dry run succeeded where the send got THIRD_PARTY_AUTH_ERROR (seen
    // in the wild).
    guard !message.isValidationOnly else { return messageIDs.validatedMessage(in: project) }
    let workspace = workspaces[account.workspace]
    try checkDevice(token, workspace, at: request.receivedAt)
    let name = messageIDs.tokenMessage(
      platform: found.record?.platform, now: workspace.time(at: time.now), in: project)
    guard let record = found.record, let apnsToken = record.apnsToken else {
      outcome.recipient = found.record
      accept(found.record?.platform == .web ? .web(message) : .android(message), in: &outcome)
      if found.record?.platform == .android, message.isForAppleOnly {
        outcome.warnings.append(FCMDiagnoses.appleMessageToAndroid(token))
      }
      return name
    }
    outcome.environment = apnsToken.environment
    do throws(APNsRelay.Refusal) {
      let (push, recipient) = try relay.pass(
        message, to: record, at: apnsToken, messageID: MessageIDs.id(in: name), from: account,
        in: workspace,
        receivedAt: request.receivedAt)
      outcome.recipient = recipient
      outcome.deviceMessage = push.payload
      outcome.expiration = push.expiration
      outcome.collapse = push.collapse
      outcome.manner = push.manner
    } catch {
      throw MessageRelay.answer(to: error, of: message, wire: workspace.policies.wire)
    }
    return name
  }

  private func sendToGroup(
    _ message: FCMMessage, _ key: [UInt8], _ account: ServiceAccount, _ request: PushRequest,
    _ project: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8] {
    let workspace = workspaces[account.workspace]
    let group = try group(of: key, account, workspace)
    guard !message.isValidationOnly else { return messageIDs.validatedMessage(in: project) }
    try checkDevice(key, workspace, at: request.receivedAt)
    let name = messageIDs.tokenMessage(
      platform: nil, now: workspace.time(at: time.now), in: project)
    accept(message, to: .group(group.members), from: account, request, name, in: &outcome)
    return name
  }

  private func sendToTopic(
    _ message: FCMMessage, _ text: String, _ selection: TopicSelection, _ account: ServiceAccount,
    _ request: PushRequest, _ project: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> [UInt8] {
    let name = messageIDs.topicMessage(in: project)
    guard !message.isValidationOnly else { return name }
    try checkTopic(text, workspaces[account.workspace], at: request.receivedAt)
    accept(message, to: .topics(selection), from: account, request, name, in: &outcome)
    return name
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
  ) throws(FCMRefusal) -> AccessToken {
    let token: AccessToken
    do {
      token = try authentication.token(of: request, outcome: &outcome)
    } catch {
      outcome.workspace = presumedWorkspace(request, project: project)
      throw error
    }
    outcome.workspace = token.account.workspace
    try authentication.check(token, project: project, receivedAt: request.receivedAt)
    return token
  }

  /// Forgets what was counted for a workspace.
  func forget(_ workspace: WorkspaceID) {
    quotas.forget(workspace)
  }

  /// The workspace of a request whose sender is not known: of the path's project, else of the token, else
  /// of the port.
  private func presumedWorkspace(_ request: PushRequest, project: String) -> WorkspaceID {
    if let account = credentials.serviceAccount(project: project) { return account.workspace }
    let token = LenientJSONReader.value(request.body)?["message"]?["token"]?.stringValue
    return token.flatMap { tokens.record(of: Array($0.utf8)) }?.workspace ?? request.home
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
    outcome.collapsesByApp = part.collapsesByApp
    outcome.timeToLive = part.timeToLive
    outcome.manner.isUrgent = part.isUrgent
  }

  /// Puts into the outcome what delivery to many devices needs, of any platform.
  private func accept(
    _ message: FCMMessage, to recipients: FanOut.Recipients, from account: ServiceAccount,
    _ request: PushRequest, _ name: [UInt8], in outcome: inout PushOutcome
  ) {
    accept(.android(message), in: &outcome)
    let id = MessageIDs.id(in: name)
    let workspace = workspaces[account.workspace]
    let receivedAt = request.receivedAt
    outcome.fanOut = FanOut(message, to: recipients, from: account) {
      [relay] record throws(APNsRelay.Refusal) in
      try relay.message(
        message, to: record, messageID: id, from: account, in: workspace, receivedAt: receivedAt)
    }
  }
}
