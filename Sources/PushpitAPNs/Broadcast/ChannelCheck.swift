internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// The checks of requests that manage channels, in their order: the first that fails answers.
///
/// Reasons are those of Apple's "Handling error responses from APNs" for broadcasts. The order is
/// assumed where no observation is named.
enum ChannelCheck: CaseIterable {
  /// All that is wrong with a credential. First here, unlike on the hosts that send: an
  /// unauthenticated GET is 403 MissingProviderToken (observed 2026).
  case authentication
  /// MethodNotAllowed, of a method that no path here has.
  case method
  /// BadPath, which the page gives for a wrong path and for a wrong method of a path.
  case path
  /// BadMessageId, of `apns-request-id`.
  case messageID
  /// TopicDisallowed: the path has a suffix on the bundle ID.
  case suffix
  /// TopicMismatch: the credential is not for this app.
  case credentialApp
  /// BroadcastFeatureNotEnabled, observed at the creation of a channel (September 2026).
  case capability
  /// Create: PayloadTooLarge, BadRequestPayload.
  case body
  /// Create: BadRequestParams, of a member that a channel does not have.
  case parameters
  /// Create: MissingPushType and InvalidPushType.
  case pushType
  /// Create: MissingChannelQueueSize, of a storage policy that is missing or none (field report,
  /// 2026).
  case storagePolicy
  /// Create: CannotCreateChannelConfig. The last, because it needs the number of channels.
  case limit
  /// Read and delete: MissingChannelId, and BadChannelId of what cannot be an id.
  case channelID
  /// Read and delete: BadPath of a channel that is unknown or deleted.
  case registration

  /// All checks, in the order in which they are made.
  static let order = allCases
}

extension APNsService {
  /// Makes one check of a request about channels; `limit` makes the channel too.
  func perform(
    _ check: ChannelCheck, of request: PushRequest, _ push: borrowing APNsPush,
    _ call: inout BroadcastCall, _ outcome: inout PushOutcome, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    switch (check, call.operation) {
    case (.authentication, _): try checkCredential(request, push, &outcome, connection)
    case (.method, _): try checkChannelMethod(request)
    case (.path, _): try checkChannelPath(request, push, call)
    case (.messageID, _): try checkRequestID(call)
    case (.suffix, _): try checkSuffix(call)
    case (.credentialApp, _): try checkAppOfCredential(call, push, connection)
    case (.capability, _): try checkCapability(call, push)
    case (.body, .create): call.body = try readBody(request)
    case (.parameters, .create): try checkParameters(call)
    case (.pushType, .create): try checkChannelType(call)
    case (.storagePolicy, .create): try checkStoragePolicy(call, push)
    case (.limit, .create): call.channel = try createChannel(call, push, request)
    case (.channelID, .read), (.channelID, .delete): try checkChannelID(call)
    case (.registration, .read), (.registration, .delete):
      call.channel = try managedChannel(call, push, request.environment)
    case (.body, _), (.parameters, _), (.pushType, _), (.storagePolicy, _), (.limit, _),
      (.channelID, _), (.registration, _):
      return
    }
  }

  private func checkChannelMethod(_ request: PushRequest) throws(APNsRefusal) {
    let method = request.head.method
    guard method.isEqual("POST") || method.isEqual("GET") || method.isEqual("DELETE") else {
      throw APNsRefusal(
        .methodNotAllowed, APNsDiagnoses.methodOfNoChannelRequest(method[...]))
    }
  }

  private func checkChannelPath(
    _ request: PushRequest, _ push: borrowing APNsPush, _ call: BroadcastCall
  ) throws(APNsRefusal) {
    guard case .nothing = call.operation else { return }
    throw APNsRefusal(.badPath, APNsDiagnoses.pathOfNoChannels(request.head, push.path))
  }

  /// What is empty is no JSON, hence BadRequestPayload and not PayloadEmpty; the largest size is
  /// assumed to be that of a broadcast.
  private func readBody(_ request: PushRequest) throws(APNsRefusal) -> ChannelBody {
    guard request.body.count <= Self.broadcastPayloadLimit, !request.isBodyCut else {
      throw APNsRefusal(
        .payloadTooLarge,
        APNsDiagnoses.payloadTooLarge(
          request.body.count, isCut: request.isBodyCut, limit: Self.broadcastPayloadLimit))
    }
    guard let body = ChannelBody(request.body) else {
      throw APNsRefusal(.badRequestPayload, APNsDiagnoses.channelBodyNotJSON(request.body[...]))
    }
    return body
  }

  private func checkParameters(_ call: BroadcastCall) throws(APNsRefusal) {
    guard let name = call.body.unknownMember else { return }
    throw APNsRefusal(.badRequestParameters, APNsDiagnoses.unknownChannelMember(name))
  }

  private func checkChannelType(_ call: BroadcastCall) throws(APNsRefusal) {
    guard let type = call.body.pushType else {
      throw APNsRefusal(.missingPushType, APNsDiagnoses.missingChannelType())
    }
    guard let text = type.stringValue, ChannelBody.isLiveActivity(text.utf8) else {
      throw APNsRefusal(.invalidPushType, APNsDiagnoses.otherChannelType(type))
    }
  }

  /// The pages have no such reason; of theirs BadRequestParams fits best.
  private func checkStoragePolicy(
    _ call: BroadcastCall, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard call.body.storagePolicy == nil else { return }
    throw APNsRefusal(
      push.policies.wire == .observed ? .missingChannelQueueSize : .badRequestParameters,
      APNsDiagnoses.badStoragePolicy(call.body.object[ChannelBody.policyKey]))
  }

  private func createChannel(
    _ call: BroadcastCall, _ push: borrowing APNsPush, _ request: PushRequest
  ) throws(APNsRefusal) -> Channel? {
    guard let policy = call.body.storagePolicy else { return nil }
    do {
      let now = push.workspace.time(at: request.receivedAt)
      return try push.workspace.channels.create(
        id: channelIDs.next(at: now), app: call.appName, environment: request.environment,
        storagePolicy: policy, at: now)
    } catch {
      throw APNsRefusal(
        .cannotCreateChannel, APNsDiagnoses.tooManyChannels(error, app: call.appName))
    }
  }

  /// The registered channel of a request that reads or deletes one.
  ///
  /// A deletion of an unknown or deleted one is 404 BadPath (sandbox, September 2026), where the page
  /// has ChannelNotRegistered. Reading one is assumed to be the same: the same path and header.
  private func managedChannel(
    _ call: BroadcastCall, _ push: borrowing APNsPush, _ environment: APNsEnvironment
  ) throws(APNsRefusal) -> Channel {
    switch lookup(call, push, environment) {
    case .found(let channel): return channel
    case .deleted(let diagnosis), .unknown(let diagnosis):
      throw APNsRefusal(
        push.policies.wire == .observed ? .badPath : .channelNotRegistered, diagnosis)
    }
  }
}
