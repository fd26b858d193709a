package import PushpitHTTPTypes
internal import PushpitJSON
package import PushpitModel

/// Google's side: every request that is not for Apple becomes an outcome and an answer here.
///
/// One object for the process; it belongs to the loop's thread.
///
/// No run-time exclusivity checks on the hot path's property: it is only read and assigned as a whole.
package final class FCMService {
  private let oauth: OAuthService
  private let sender: MessageSender
  private let subscriptions: TopicSubscriptions
  private let instanceID: InstanceIDService
  private let groups: DeviceGroups
  private let accessTokens: AccessTokens
  /// The last send whose method, host and path were written as usual: most senders repeat them.
  @exclusivity(unchecked) private var lastSend: PlainSend?

  /// Gives the device of an APNs token a registration token, or makes one for a device that nobody
  /// knows; without it nothing is imported.
  package var importToken: ((_ apnsToken: TokenRecord?, _ project: String) -> [UInt8]?)? {
    get { instanceID.importToken }
    set { instanceID.importToken = newValue }
  }

  /// Makes the service over the gateway's directories.
  ///
  /// `tokenEndpoints` are names or URLs that the gateway is reached by: an assertion may be for any
  /// token endpoint on one of them, whatever the port. The metadata server gives out tokens of
  /// `machineAccount`. Messages to iOS apps are passed on to `apns`.
  package init(
    credentials: CredentialDirectory, workspaces: WorkspaceDirectory, tokens: TokenRegistry,
    random: RandomSource, time: any TimeSource, tokenEndpoints: [String],
    machineAccount: ServiceAccount? = nil, apns: @escaping APNsRelay.Judge
  ) {
    let judge = AssertionJudge(credentials: credentials, workspaces: workspaces)
    let accessTokens = AccessTokens(random: random) { token in
      workspaces[token.account.workspace].time(at: time.now) >= token.expiresAt
    }
    self.accessTokens = accessTokens
    let authentication = SenderAuthentication(
      judge: judge, workspaces: workspaces, accessTokens: accessTokens)
    oauth = OAuthService(
      credentials: credentials, workspaces: workspaces, judge: judge, accessTokens: accessTokens,
      authentication: authentication, random: random, tokenEndpoints: tokenEndpoints,
      machineAccount: machineAccount)
    sender = MessageSender(
      authentication: authentication,
      credentials: credentials, workspaces: workspaces, tokens: tokens, random: random, time: time,
      relay: MessageRelay(judge: apns))
    subscriptions = TopicSubscriptions(
      authentication: authentication, credentials: credentials, workspaces: workspaces,
      tokens: tokens)
    instanceID = InstanceIDService(
      authentication: authentication, workspaces: workspaces, tokens: tokens)
    groups = DeviceGroups(
      authentication: InstanceIDAuthentication(
        authentication: authentication, workspaces: workspaces),
      workspaces: workspaces, tokens: tokens, random: random)
  }

  /// Answers a request: fills in head and body, and returns what became of it.
  package func respond(
    to request: PushRequest, response: inout ResponseHead, body: inout [UInt8]
  ) -> PushOutcome {
    let endpoint = endpoint(of: request.head)
    var outcome = PushOutcome(service: endpoint.service, workspace: request.home, status: 0)
    let answer = answer(request, at: endpoint, outcome: &outcome)
    let style: JSONWriter.Style =
      request.head.hasQuery ? QueryParameters(request.head).style : .indented
    FCMResponse.write(answer, style, to: &response, body: &body)
    outcome.status = response.status
    return outcome
  }

  /// Forgets what it keeps of a workspace, which is reset or gone: access tokens and counts.
  package func forget(_ workspace: WorkspaceID) {
    accessTokens.forget { $0.workspace == workspace }
    oauth.forget(workspace)
    sender.forget(workspace)
  }

  /// Forgets the access tokens of an account, which is gone.
  package func forget(_ account: ServiceAccount) {
    accessTokens.forget { $0 == account }
  }

  /// What a request is for, found again only when it is not that of the last send.
  private func endpoint(of head: RequestHead) -> GoogleEndpoint {
    if let lastSend, lastSend.isSame(as: head) { return .send(project: lastSend.project) }
    guard let send = PlainSend(head) else { return GoogleEndpoint(head) }
    lastSend = send
    return .send(project: send.project)
  }

  private func answer(
    _ request: PushRequest, at endpoint: GoogleEndpoint, outcome: inout PushOutcome
  ) -> FCMAnswer {
    // The edge looks at the size of a body before anything looks at the path.
    guard !request.isBodyCut else {
      outcome.diagnosis = FCMDiagnoses.bodyTooLarge
      return .bodyTooLarge
    }
    switch endpoint {
    case .token:
      return oauth.grant(request, outcome: &outcome)
    case .oauth(let endpoint):
      return oauth.answer(request, at: endpoint, outcome: &outcome)
    case .send(let project):
      return sender.answer(request, project: project, outcome: &outcome)
    case .registration(.subscriptions(let project, let registration, let call)):
      return subscriptions.answer(
        request, project: project, registration: registration, call, outcome: &outcome)
    case .registration(.instanceID(let call)):
      return instanceID.answer(request, call, outcome: &outcome)
    case .registration(.changeGroup):
      return groups.change(request, outcome: &outcome)
    case .registration(.showGroup):
      return groups.show(request, outcome: &outcome)
    case .legacySend:
      outcome.diagnosis = FCMDiagnoses.legacyEndpoint
      return .legacyDeprecated
    case .batch, .nothing:
      outcome.diagnosis = FCMDiagnoses.pathOfNoEndpoint(request.head)
      return .pathNotFound(Array(request.head.path))
    }
  }
}
