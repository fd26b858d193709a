internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// The checks of `POST /4/broadcasts/apps/<bundle ID>` in their order: the first that fails answers.
///
/// Reasons are those of Apple's "Handling error responses from APNs" for broadcasts. The order is
/// assumed where no observation is named: that of a device push, as both have one front end.
/// DuplicateHeaders is not on that page; of a repeated field the first counts.
enum BroadcastCheck: CaseIterable {
  /// MethodNotAllowed. First, as at `/3/device/` (observed 2019 and 2026 on the hosts that send).
  case method
  /// All that is wrong with a credential: the very check of a device push.
  case authentication
  /// BadMessageId, of `apns-request-id`, and of `apns-id`, which a sample of Apple's has too.
  case messageID
  /// TopicDisallowed: the path has a suffix on the bundle ID.
  case suffix
  /// TopicMismatch: the credential is not for this app.
  case credentialApp
  /// BroadcastFeatureNotEnabled (sandbox, September 2026); FeatureNotEnabled on the page.
  case capability
  /// MissingChannelId, and BadChannelId of what cannot be an id.
  case channelID
  /// MissingPushType and InvalidPushType.
  case pushType
  /// BadPriority.
  case priority
  /// BadExpirationDate, also when it is missing (sandbox, September 2026).
  case expiration
  /// PayloadEmpty, PayloadTooLarge, BadRequestPayload.
  case payload
  /// BadChannelId of an id that never existed, ChannelNotRegistered of a deleted one (sandbox,
  /// September 2026). After what needs only the request, as with device tokens.
  case registration
  /// BadExpirationDate of a message that a channel may not store; needs the channel.
  case storage

  /// All checks, in the order in which they are made.
  static let order = allCases
}

extension APNsService {
  /// The largest payload of a broadcast (Apple: Sending broadcast push notification requests).
  static let broadcastPayloadLimit = 5120

  /// Makes one check of a broadcast.
  func perform(
    _ check: BroadcastCheck, of request: PushRequest, _ push: borrowing APNsPush,
    _ call: inout BroadcastCall, _ outcome: inout PushOutcome, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    switch check {
    case .method: try checkBroadcastMethod(request)
    case .authentication: try checkCredential(request, push, &outcome, connection)
    case .messageID:
      try checkRequestID(call)
      try checkMessageID(request, push)
    case .suffix: try checkSuffix(call)
    case .credentialApp: try checkAppOfCredential(call, push, connection)
    case .capability: try checkCapability(call, push)
    case .channelID: try checkChannelID(call)
    case .pushType: try checkBroadcastType(request, push)
    case .priority: try checkBroadcastPriority(request, push)
    case .expiration: try checkBroadcastExpiration(request, push)
    case .payload: try checkBroadcastPayload(request)
    case .registration: call.channel = try broadcastChannel(call, push, request.environment)
    case .storage: try checkStorage(push, call)
    }
  }

  /// Everything about the credential, exactly as for a device push.
  func checkCredential(
    _ request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome,
    _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    for check in APNsCheck.ofCredential {
      try perform(check, of: request, push, &outcome, connection)
    }
  }
}

extension APNsService {
  private func checkBroadcastMethod(_ request: PushRequest) throws(APNsRefusal) {
    guard request.head.method.isEqual("POST") else {
      throw APNsRefusal(
        .methodNotAllowed, APNsDiagnoses.broadcastMethod(request.head.method[...]))
    }
  }

  /// `liveactivity`, the only type that can be broadcast.
  ///
  /// Compared without case: the page of channels writes `LiveActivity`, that of broadcasts
  /// `liveactivity`, and libraries send both.
  private func checkBroadcastType(
    _ request: PushRequest, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard let range = push.fields.pushType, !range.isEmpty else {
      throw APNsRefusal(.missingPushType, APNsDiagnoses.missingBroadcastType())
    }
    let value = request.head.fields.bytes[range]
    guard ChannelBody.isLiveActivity(value) else {
      throw APNsRefusal(.invalidPushType, APNsDiagnoses.otherBroadcastType(value))
    }
  }

  /// Required here, unlike with device pushes (Apple: Sending broadcast push notification requests);
  /// assumed is the reason when it is missing, by that of a missing expiration.
  private func checkBroadcastPriority(
    _ request: PushRequest, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard let range = push.fields.priority else {
      throw APNsRefusal(.badPriority, APNsDiagnoses.missingBroadcastPriority())
    }
    let value = request.head.fields.bytes[range]
    guard value.isEqual("10") || value.isEqual("5") || value.isEqual("1") else {
      throw APNsRefusal(.badPriority, APNsDiagnoses.badBroadcastPriority(value))
    }
  }

  private func checkBroadcastExpiration(
    _ request: PushRequest, _ push: borrowing APNsPush
  ) throws(APNsRefusal) {
    guard push.fields.expiration != nil else {
      throw APNsRefusal(.badExpirationDate, APNsDiagnoses.missingBroadcastExpiration())
    }
    try checkExpiration(request, push)
  }

  /// Empty, too large, no JSON object, a start: in that order.
  ///
  /// A broadcast updates and ends activities (Apple: Sending broadcast push notification requests). No
  /// page names the reason for a start, nor for a payload that is not JSON; BadRequestPayload is the
  /// nearest of those that it lists. Another or no event is let through, because nobody was seen to
  /// be refused for it.
  private func checkBroadcastPayload(_ request: PushRequest) throws(APNsRefusal) {
    let count = request.body.count
    guard count > 0 else { throw APNsRefusal(.payloadEmpty, APNsDiagnoses.payloadEmpty()) }
    guard count <= Self.broadcastPayloadLimit, !request.isBodyCut else {
      throw APNsRefusal(
        .payloadTooLarge,
        APNsDiagnoses.payloadTooLarge(
          count, isCut: request.isBodyCut, limit: Self.broadcastPayloadLimit))
    }
    guard let payload = (try? JSONReader.parse(request.body))?.objectValue else {
      throw APNsRefusal(.badRequestPayload, APNsDiagnoses.payloadNotJSON(request.body[...]))
    }
    guard payload["aps"]?["event"] != "start" else {
      throw APNsRefusal(.badRequestPayload, APNsDiagnoses.broadcastStart())
    }
  }

  /// The registered channel; observed on the sandbox in September 2026, the page has
  /// ChannelNotRegistered for both faults.
  private func broadcastChannel(
    _ call: BroadcastCall, _ push: borrowing APNsPush, _ environment: APNsEnvironment
  ) throws(APNsRefusal) -> Channel {
    switch lookup(call, push, environment) {
    case .found(let channel): return channel
    case .deleted(let diagnosis): throw APNsRefusal(.channelNotRegistered, diagnosis)
    case .unknown(let diagnosis):
      throw APNsRefusal(
        push.policies.wire == .observed ? .badChannelID : .channelNotRegistered, diagnosis)
    }
  }

  /// A channel that stores nothing takes only messages for now or never.
  ///
  /// Apple: Sending broadcast push notification requests. One field note of May 2026 says the contrary;
  /// the page is followed.
  private func checkStorage(
    _ push: borrowing APNsPush, _ call: BroadcastCall
  ) throws(APNsRefusal) {
    guard let channel = call.channel, channel.storagePolicy == .none,
      let expiration = push.expiration, expiration != 0
    else { return }
    throw APNsRefusal(
      .badExpirationDate, APNsDiagnoses.expirationWithoutStorage(expiration, channel))
  }
}
