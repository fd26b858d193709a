package import PushpitHTTPTypes
package import PushpitModel

/// APNs: a request in, an answer and an outcome out, with no socket in between.
///
/// A good push with a known token makes no copy and no allocation here: fields are found in one
/// pass over their bytes, the outcome holds slices of the request, and scratch buffers are kept.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a scratch buffer is changed only by calls of its own methods.
package final class APNsService {
  let workspaces: WorkspaceDirectory
  let tokens: TokenRegistry
  let credentials: CredentialDirectory
  let providerTokens: ProviderTokenCache
  /// How many provider tokens each key has signed.
  package let mints = ProviderTokenMints()
  /// How often device tokens were pushed to, where that has a limit.
  var requestRates = RequestRates()
  private let random: RandomSource
  /// The device token of the current request in lower case, the key into the registry.
  @exclusivity(unchecked) var canonicalToken: [UInt8] = []
  /// The topic of the current request, or of the last one that had any.
  @exclusivity(unchecked) var lastTopic = APNsTopic()
  /// The identifier made for the current request; outcomes hold slices of it.
  @exclusivity(unchecked) private var generatedID: [UInt8] = []
  /// The `apns-unique-id` of the current answer.
  @exclusivity(unchecked) private var generatedUniqueID: [UInt8] = []
  /// Of the pushes that FCM passes on; nothing changes it.
  let relayConnection = APNsConnectionState()
  /// Makes the ids of new channels.
  var channelIDs: ChannelIDMint

  package init(
    credentials: CredentialDirectory, workspaces: WorkspaceDirectory, tokens: TokenRegistry,
    random: RandomSource
  ) {
    self.workspaces = workspaces
    self.tokens = tokens
    self.random = random
    self.credentials = credentials
    providerTokens = ProviderTokenCache(credentials: credentials)
    channelIDs = ChannelIDMint(random)
  }

  /// How many signatures of provider tokens were verified since the start.
  package var verificationCount: Int { providerTokens.verificationCount }

  /// Examines a request, writes the answer's head and body, and says what became of it.
  ///
  /// What the connection has to do afterwards is in its state: see
  /// `APNsConnectionState.takeStreamLimitChange()`.
  package func respond(
    to request: PushRequest, connection: APNsConnectionState, response: inout ResponseHead,
    body: inout [UInt8]
  ) -> PushOutcome {
    var push = read(request, connection)
    var outcome = PushOutcome(service: .apns, workspace: push.workspace.id, status: 200)
    if case .device = push.path, !BroadcastHost.mayBeManagement(request.head.authority) {
      judge(request, push, &outcome, connection, &response, &body)
    } else if !judgeBroadcast(request, push, &outcome, connection, &response, &body) {
      judge(request, push, &outcome, connection, &response, &body)
    }
    push.moveBytes(to: &outcome)
    return outcome
  }

  /// Makes the checks, completes the outcome and writes the answer.
  ///
  /// Never inlined, because an outcome is copied when the function that changes its fields returns it.
  @inline(never)
  private func judge(
    _ request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome,
    _ connection: APNsConnectionState, _ response: inout ResponseHead, _ body: inout [UInt8]
  ) {
    let wire = push.policies.wire
    outcome.apnsID = identifier(of: request, push)
    describe(request, push, connection, in: &outcome)
    if let refusal = firstRefusal(of: request, push, &outcome, connection) {
      outcome.status = refusal.reason.status
      outcome.reason = refusal.reason.text(wire)
      outcome.diagnosis = diagnosis(of: refusal, request, push)
      APNsResponse.refuse(&response, &body, refusal, id: outcome.apnsID, wire: wire)
    } else {
      APNsResponse.accept(
        &response, &body, id: outcome.apnsID, uniqueID: uniqueID(in: request.environment))
    }
  }

  /// Where the path is of no endpoint that is the fault, whatever the check that answered: a request
  /// for FCM at Apple's host has no credential problem.
  private func diagnosis(
    of refusal: APNsRefusal, _ request: PushRequest, _ push: borrowing APNsPush
  ) -> Diagnosis {
    switch push.path {
    case .unknown: APNsDiagnoses.badPath(request.head.path)
    case .channels, .allChannels: APNsDiagnoses.channelsAtPushHost(request.head)
    case .device, .broadcast: refusal.diagnosis
    }
  }

  /// A new `apns-unique-id`, in lower case; the sandbox gives one since 2023.
  func uniqueID(in environment: APNsEnvironment) -> [UInt8]? {
    guard case .sandbox = environment else { return nil }
    random.uuid(into: &generatedUniqueID, uppercase: false)
    return generatedUniqueID
  }

  private func firstRefusal(
    of request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome,
    _ connection: APNsConnectionState
  ) -> APNsRefusal? {
    do throws(APNsRefusal) {
      for check in APNsCheck.order {
        try perform(check, of: request, push, &outcome, connection)
      }
      return nil
    } catch {
      return error
    }
  }

  /// The sender's `apns-id`, byte for byte (aioapns matches answers by it), else a new one: upper
  /// case, as every capture from 2018 to 2026 has it, where the page says lower case.
  func identifier(of request: PushRequest, _ push: borrowing APNsPush)
    -> ArraySlice<UInt8>
  {
    if push.isIDWellFormed, let range = push.fields.id {
      return request.head.fields.bytes[range]
    }
    return newIdentifier(push.policies.wire)
  }

  /// A new identifier for an answer.
  func newIdentifier(_ wire: Policies.Wire) -> ArraySlice<UInt8> {
    random.uuid(into: &generatedID, uppercase: wire == .observed)
    return generatedID[...]
  }
}
