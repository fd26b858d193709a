import PushpitModel

/// Passes messages for iOS apps on to APNs, and tells the sender what APNs says.
struct MessageRelay {
  let judge: APNsRelay.Judge

  /// Passes a message on to the app of a registration token.
  /// - Returns: the push and whom it is for.
  func pass(
    _ message: FCMMessage, to record: TokenRecord, at apnsToken: TokenRecord, messageID: String,
    from account: ServiceAccount, in workspace: Workspace, receivedAt: Timestamp
  ) throws(APNsRelay.Refusal) -> (push: APNsMessage, recipient: TokenRecord) {
    let push = APNsMessage(
      message, to: record, at: apnsToken, messageID: messageID, from: account,
      receivedAt: receivedAt)
    let recipient = try judge(push.request, workspace)
    // A message to the app is for its registration token, which the sender knows.
    return (push, message.liveActivityToken == nil ? record : recipient)
  }

  /// What the device of a registration token gets of a message to many.
  func message(
    _ message: FCMMessage, to record: TokenRecord, messageID: String, from account: ServiceAccount,
    in workspace: Workspace, receivedAt: Timestamp
  ) throws(APNsRelay.Refusal) -> FanOut.Message {
    guard let apnsToken = record.apnsToken else {
      return FanOut.Message(payload: DeviceMessage.android(message).payload)
    }
    let push = try pass(
      message, to: record, at: apnsToken, messageID: messageID, from: account, in: workspace,
      receivedAt: receivedAt
    ).push
    return FanOut.Message(
      payload: push.payload, collapse: Array(push.collapse), expiration: push.expiration,
      manner: push.manner)
  }

  /// What FCM answers to a message that APNs has refused.
  static func answer(
    to refusal: APNsRelay.Refusal, of message: FCMMessage, wire: Policies.Wire
  ) -> FCMRefusal {
    FCMRefusal(
      .refusedByAPNs(refusal, isLiveActivity: message.liveActivityToken != nil, wire: wire),
      refusal.diagnosis)
  }
}
