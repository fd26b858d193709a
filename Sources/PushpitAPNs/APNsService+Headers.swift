internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

extension APNsService {
  /// The longest `apns-collapse-id` in bytes (Apple: Sending notification requests to APNs).
  static let collapseIDLimit = 64
  /// The largest payload (Apple: Sending notification requests to APNs).
  static let payloadLimit = 4096
  /// The largest payload of a VoIP push.
  static let voipPayloadLimit = 5120

  func checkMethod(_ request: PushRequest) throws(APNsRefusal) {
    guard request.head.method.isEqual("POST") else {
      throw APNsRefusal(
        .methodNotAllowed, APNsDiagnoses.methodNotAllowed(request.head.method[...]))
    }
  }

  func checkPath(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard case .device = push.path else {
      throw APNsRefusal(.badPath, APNsDiagnoses.badPath(request.head.path))
    }
  }

  /// Only fields that APNs reads count: others, such as `accept`, may be repeated in HTTP, and
  /// Apple's page does not say that they may not be here.
  func checkDuplicates(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    if let name = push.fields.repeated {
      throw APNsRefusal(
        .duplicateHeaders, APNsDiagnoses.duplicateHeader(request.head.fields.bytes[name]))
    }
  }

  func checkMessageID(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let range = push.fields.id, !push.isIDWellFormed else { return }
    throw APNsRefusal(
      .badMessageID, APNsDiagnoses.badMessageID(request.head.fields.bytes[range]))
  }

  /// Missing, malformed, not of the certificate or the topic-specific key: in that order.
  func checkTopic(
    _ push: borrowing APNsPush, _ connection: APNsConnectionState
  ) throws(APNsRefusal) {
    let topic = push.topic
    guard !topic.isEmpty else {
      throw APNsRefusal(
        .missingTopic,
        connection.certificate == nil
          ? APNsDiagnoses.missingTopic() : APNsDiagnoses.missingTopicOfCertificate())
    }
    guard push.isTopicWellFormed else {
      throw APNsRefusal(.badTopic, APNsDiagnoses.badTopic(topic))
    }
    if let certificate = connection.certificate {
      guard certificate.allows(topic, owner: push.topicOwner) else {
        throw certificate.topicRefusal(topic, owner: push.topicOwner)
      }
      return
    }
    // A topic of the key is compared whole: Apple speaks of topics there, and a topic includes its
    // suffix.
    guard let token = push.providerToken, token.isTopicSpecific, let key = token.key,
      let topics = key.topics
    else { return }
    guard topics.contains(where: { topic.elementsEqual($0.utf8) }) else {
      throw APNsRefusal(
        .topicDisallowed, APNsDiagnoses.topicNotOfKey(topic, key: key, topics: topics))
    }
  }

  /// An unknown value and a contradiction of the topic are both InvalidPushType.
  ///
  /// Observed since 2019 for `alert` and `background` with a `.voip` topic. An omitted field is
  /// accepted (observed 2022).
  func checkPushType(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let range = push.fields.pushType else { return }
    guard let type = push.pushType else {
      throw APNsRefusal(
        .invalidPushType, APNsDiagnoses.unknownPushType(request.head.fields.bytes[range]))
    }
    guard type.accepts(topicOf: push.topicOwner) else {
      throw APNsRefusal(
        .invalidPushType, APNsDiagnoses.pushTypeNotOfTopic(type, topic: push.topic))
    }
  }

  /// One of 10, 5 and 1 (Apple: Sending notification requests to APNs), as written there.
  ///
  /// `background` with 10 passes unless the workspace sets otherwise: the page calls it an error, no
  /// capture shows an answer.
  func checkPriority(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let range = push.fields.priority else { return }
    switch (push.priority, range.count) {
    case (10, 2):
      guard case .background? = push.pushType, push.workspace.apns.backgroundPriority == .refuse
      else { return }
      throw APNsRefusal(.badPriority, APNsDiagnoses.backgroundPriority())
    case (5, 1), (1, 1): return
    default:
      throw APNsRefusal(
        .badPriority, APNsDiagnoses.badPriority(request.head.fields.bytes[range]))
    }
  }

  /// An integer; a fraction as in `1518080000.123` is refused (parse-server issue 4558, 2018).
  ///
  /// A negative or past one passes: no answer to it is known, and 0 is one too.
  func checkExpiration(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let range = push.fields.expiration, push.expiration == nil else { return }
    throw APNsRefusal(
      .badExpirationDate, APNsDiagnoses.badExpiration(request.head.fields.bytes[range]))
  }

  func checkCollapseID(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    guard let range = push.fields.collapseID, range.count > Self.collapseIDLimit else { return }
    throw APNsRefusal(
      .badCollapseID, APNsDiagnoses.badCollapseID(range.count, limit: Self.collapseIDLimit))
  }

  /// Empty, too large, not a JSON object: in that order.
  ///
  /// `{}` and payloads without `aps` are good (Wallet passes, MDM). The answer to what is no JSON
  /// object is not known; PayloadEmpty, unless the workspace sets otherwise, is that of APNSwift's test
  /// server.
  func checkPayload(_ request: PushRequest, _ push: borrowing APNsPush) throws(APNsRefusal) {
    let count = request.body.count
    guard count > 0 else { throw APNsRefusal(.payloadEmpty, APNsDiagnoses.payloadEmpty()) }
    let type = push.pushType ?? push.topicOwner
    let limit = type == .voip ? Self.voipPayloadLimit : Self.payloadLimit
    guard count <= limit, !request.isBodyCut else {
      throw APNsRefusal(
        .payloadTooLarge,
        APNsDiagnoses.payloadTooLarge(count, isCut: request.isBodyCut, limit: limit))
    }
    guard request.body.withUnsafeBufferPointer(JSONReader.isObject) else {
      guard push.workspace.apns.invalidPayload == .refuse else { return }
      throw APNsRefusal(.payloadEmpty, APNsDiagnoses.payloadNotJSON(request.body[...]))
    }
  }
}
