internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// Broadcasts and the channels that they go to.
extension APNsService {
  /// Answers a request that is no push to a device; false when the list of device pushes has it, as
  /// it has a path that the host does not know.
  @inline(never)
  func judgeBroadcast(
    _ request: PushRequest, _ push: borrowing APNsPush, _ outcome: inout PushOutcome,
    _ connection: APNsConnectionState, _ response: inout ResponseHead, _ body: inout [UInt8]
  ) -> Bool {
    guard let kind = BroadcastCall.Kind(request, push.path) else { return false }
    var call = BroadcastCall(request, push.path, BroadcastHost(request.head.authority))
    describe(request, push, connection, in: &outcome)
    outcome.apnsID = requestIdentifier(call.requestID, push)
    if !call.app.isEmpty { outcome.app = call.appName }
    outcome.broadcast = BroadcastFacts(channelID: Array(call.channelID))
    do throws(APNsRefusal) {
      switch kind {
      case .channels:
        try manageChannel(request, push, &call, &outcome, connection, &response, &body)
      case .broadcast:
        try sendBroadcast(request, push, &call, &outcome, connection, &response, &body)
      }
    } catch {
      let wire = push.policies.wire
      outcome.status = error.reason.status
      outcome.reason = error.reason.text(wire)
      outcome.diagnosis = error.diagnosis
      BroadcastResponse.refuse(&response, &body, error, id: outcome.apnsID, wire: wire)
    }
    return true
  }

  private func sendBroadcast(
    _ request: PushRequest, _ push: borrowing APNsPush, _ call: inout BroadcastCall,
    _ outcome: inout PushOutcome, _ connection: APNsConnectionState,
    _ response: inout ResponseHead, _ body: inout [UInt8]
  ) throws(APNsRefusal) {
    for check in BroadcastCheck.order {
      try perform(check, of: request, push, &call, &outcome, connection)
    }
    outcome.broadcast = BroadcastFacts(channelID: Array(call.channelID), recipient: call.channel)
    outcome.deviceMessage = request.body
    BroadcastResponse.accept(
      &response, &body, id: outcome.apnsID, uniqueID: uniqueID(in: request.environment))
  }

  private func manageChannel(
    _ request: PushRequest, _ push: borrowing APNsPush, _ call: inout BroadcastCall,
    _ outcome: inout PushOutcome, _ connection: APNsConnectionState,
    _ response: inout ResponseHead, _ body: inout [UInt8]
  ) throws(APNsRefusal) {
    for check in ChannelCheck.order {
      try perform(check, of: request, push, &call, &outcome, connection)
    }
    let answer: BroadcastResponse.Answer
    switch (call.operation, call.channel) {
    case (.create, let channel?):
      outcome.broadcast = BroadcastFacts(channelID: channel.id)
      answer = .created(channel)
    case (.read, let channel?): answer = .channel(channel)
    case (.delete, let channel?):
      push.workspace.channels.delete(channel, at: push.workspace.time(at: request.receivedAt))
      answer = .deleted
    case (.list, _):
      answer = .channels(
        push.workspace.channels.channels(of: call.appName, in: request.environment))
    case (.create, nil), (.read, nil), (.delete, nil), (.send, _), (.nothing, _):
      preconditionFailure("the checks let through what they refuse")
    }
    outcome.status = answer.status
    BroadcastResponse.write(
      answer, &response, &body, id: outcome.apnsID, wire: push.policies.wire)
  }

  /// The sender's `apns-request-id`, byte for byte, else a new one of the form that a generated
  /// `apns-id` has; no capture shows one.
  func requestIdentifier(
    _ requestID: ArraySlice<UInt8>?, _ push: borrowing APNsPush
  ) -> ArraySlice<UInt8> {
    if let id = requestID, Self.isCanonicalUUID(id) { return id }
    return newIdentifier(push.policies.wire)
  }
}
