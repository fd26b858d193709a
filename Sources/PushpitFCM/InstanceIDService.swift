import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// The Instance ID API, by which most SDKs subscribe tokens to topics (Google: Instance ID server
/// reference).
///
/// Its subscriptions are those of the FCM API. Belongs to the loop's thread.
final class InstanceIDService {
  /// The most tokens of a batch (Google's reference).
  static let batchLimit = 1000
  /// The most APNs tokens of an import (Google's reference).
  static let importLimit = 100
  /// Refusals of a batch that the record explains; the rest are like them.
  static let explainedLimit = 100
  /// Imports of APNs tokens that no device has, of which the registration token is remembered.
  static let strangerLimit = 10_000

  private let authentication: InstanceIDAuthentication
  let workspaces: WorkspaceDirectory
  let tokens: TokenRegistry
  /// Gives an APNs token's device a registration token; nil is a device that nobody knows.
  var importToken: ((_ apnsToken: TokenRecord?, _ project: String) -> [UInt8]?)?
  /// Registration tokens given for APNs tokens of no device.
  var strangers = BoundedTable<ByteKey, [UInt8]>(limit: strangerLimit)

  init(
    authentication: SenderAuthentication, workspaces: WorkspaceDirectory, tokens: TokenRegistry
  ) {
    self.authentication = InstanceIDAuthentication(
      authentication: authentication, workspaces: workspaces)
    self.workspaces = workspaces
    self.tokens = tokens
  }

  /// Answers a request, or records why not.
  func answer(
    _ request: PushRequest, _ call: InstanceIDCall, outcome: inout PushOutcome
  ) -> FCMAnswer {
    do throws(InstanceIDRefusal) {
      let account = try authentication.account(of: request, outcome: &outcome)
      switch call {
      case .batchAdd, .batchRemove:
        return try batch(request, call, account, outcome: &outcome)
      case .batchImport:
        return try importBatch(request, account, outcome: &outcome)
      case .subscribe(let token, let topic):
        return try subscribe(token, to: topic, account, request, outcome: &outcome)
      case .info(let token):
        return try describe(token, account, request, outcome: &outcome)
      }
    } catch {
      return error.answer(&outcome)
    }
  }
}

// MARK: - Topics

extension InstanceIDService {
  private static let topicPrefix = "/topics/"

  /// Why one token of a batch was not taken: one of the strings of the SDKs' tables.
  private struct TokenRefusal: Error {
    let error: String
    let diagnosis: Diagnosis
  }

  private func batch(
    _ request: PushRequest, _ call: InstanceIDCall, _ account: ServiceAccount,
    outcome: inout PushOutcome
  ) throws(InstanceIDRefusal) -> FCMAnswer {
    let body = try Self.object(request.body)
    let fix = #"send {"to":"/topics/NAME","registration_tokens":[...]}"#
    guard let target = body["to"]?.stringValue, target.hasPrefix(Self.topicPrefix) else {
      throw .badRequest("the body names no topic in to", fix: fix)
    }
    let topic = String(target.dropFirst(Self.topicPrefix.count))
    outcome.topic = Array(topic.utf8)[...]
    try Self.checkTopic(topic)
    let batch = try Self.strings(
      body["registration_tokens"], named: "registration_tokens", limit: Self.batchLimit, fix: fix)
    var results: [JSONValue] = []
    for (index, text) in batch.enumerated() {
      do throws(TokenRefusal) {
        try change(Array(text.utf8), call, topic, account, at: request.receivedAt)
        results.append([:])
      } catch {
        results.append(["error": .string(error.error)])
        guard outcome.warnings.count < Self.explainedLimit else { continue }
        outcome.warnings.append(
          FCMDiagnoses.batchTokenRefused(index, error.error, error.diagnosis))
      }
    }
    return .instanceID(200, JSONObject(["results": .array(results)]))
  }

  /// Subscribes or unsubscribes one token; doing it again is a success (assumed: the reference has no
  /// error for it).
  private func change(
    _ token: [UInt8], _ call: InstanceIDCall, _ topic: String, _ account: ServiceAccount,
    at time: Timestamp
  ) throws(TokenRefusal) {
    let record = try find(token, for: account, at: time)
    let workspace = workspaces[account.workspace]
    let project = record?.topicProject(of: account.projectID) ?? account.projectID
    guard call != .batchRemove else {
      workspace.topics.unsubscribe(token, from: topic, in: project)
      return
    }
    do {
      try workspace.topics.subscribe(token, to: topic, in: project, at: workspace.time(at: time))
    } catch {
      let text =
        switch error {
        case .token: "TOO_MANY_TOPICS"
        case .workspace: "RESOURCE_EXHAUSTED"
        }
      throw TokenRefusal(error: text, diagnosis: FCMDiagnoses.tooManyTopics(token, error))
    }
  }

  /// A token that may be subscribed; nil when nobody registered it.
  ///
  /// That another project's token is `PERMISSION_DENIED` is assumed; the string is in the SDKs' tables.
  private func find(
    _ token: [UInt8], for account: ServiceAccount, at time: Timestamp
  ) throws(TokenRefusal) -> TokenRecord? {
    if let diagnosis = MessageRules.faultOfForm(token, field: "registration_tokens") {
      throw TokenRefusal(error: "INVALID_ARGUMENT", diagnosis: diagnosis)
    }
    do throws(FCMRefusal) {
      return try TokenLookup(tokens: tokens, workspaces: workspaces)
        .find(token, for: account, isValidationOnly: true, at: time).record
    } catch {
      throw TokenRefusal(
        error: error.error.status == .notFound ? "NOT_FOUND" : "PERMISSION_DENIED",
        diagnosis: error.diagnosis)
    }
  }

  private func subscribe(
    _ token: [UInt8], to topic: String, _ account: ServiceAccount, _ request: PushRequest,
    outcome: inout PushOutcome
  ) throws(InstanceIDRefusal) -> FCMAnswer {
    Self.describe(token, in: &outcome)
    outcome.topic = Array(topic.utf8)[...]
    try Self.checkTopic(topic)
    do throws(TokenRefusal) {
      try change(token, .batchAdd, topic, account, at: request.receivedAt)
    } catch {
      throw Self.refusal(error)
    }
    return .instanceID(200, JSONObject())
  }

  /// One token's refusal as the answer to a request about it alone; statuses of the last two are assumed.
  private static func refusal(_ error: TokenRefusal) -> InstanceIDRefusal {
    let answer: InstanceIDRefusal.Answer =
      switch error.error {
      case "INVALID_ARGUMENT": .error(400, "InvalidToken")
      case "NOT_FOUND": .error(404, unknownInstance)
      case "PERMISSION_DENIED": .error(403, "PERMISSION_DENIED")
      default: .error(429, error.error)
      }
    return InstanceIDRefusal(answer, error.diagnosis)
  }

  private static func checkTopic(_ topic: String) throws(InstanceIDRefusal) {
    guard FCMTopicName.isValid(topic.utf8) else {
      throw InstanceIDRefusal(.error(400, "BadRequest"), FCMDiagnoses.topicInvalid(topic))
    }
  }
}

// MARK: - Information

extension InstanceIDService {
  private static let unknownInstance = "No information found about this instance id."

  private func describe(
    _ token: [UInt8], _ account: ServiceAccount, _ request: PushRequest,
    outcome: inout PushOutcome
  ) throws(InstanceIDRefusal) -> FCMAnswer {
    Self.describe(token, in: &outcome)
    let record: TokenRecord?
    do throws(TokenRefusal) {
      record = try find(token, for: account, at: request.receivedAt)
    } catch {
      throw Self.refusal(error)
    }
    let project = record?.topicProject(of: account.projectID) ?? account.projectID
    let subscriptions = workspaces[account.workspace].topics
      .subscriptions(of: token, in: project)
    guard record != nil || !subscriptions.isEmpty else {
      throw InstanceIDRefusal(
        .error(404, Self.unknownInstance), FCMDiagnoses.instanceUnknown(token))
    }
    outcome.app = record?.app
    var answer = JSONObject()
    // Version and signer of the app are not among what a simulated device has.
    if let app = record?.app { answer["application"] = .string(app) }
    answer["authorizedEntity"] = .string(account.projectNumber)
    answer["scope"] = "*"
    if let platform = record?.platform { answer["platform"] = .string(platform.instanceIDName) }
    if Self.wantsDetails(request.head), !subscriptions.isEmpty {
      answer["rel"] = ["topics": .object(Self.topics(subscriptions))]
    }
    return .instanceID(200, answer)
  }

  private static func topics(_ subscriptions: [TopicDirectory.Subscription]) -> JSONObject {
    var topics = JSONObject()
    for subscription in subscriptions {
      let date = String(subscription.createdAt.rfc3339.prefix(10))
      topics.members.append((subscription.topic, ["addDate": .string(date)]))
    }
    return topics
  }

  private static func wantsDetails(_ head: RequestHead) -> Bool {
    PercentCoding.pairs(head.query).last { $0.name == "details" }?.value == "true"
  }
}

// MARK: - Reading

extension InstanceIDService {
  private static func describe(_ token: [UInt8], in outcome: inout PushOutcome) {
    outcome.token = token[...]
    outcome.tokenKind = TokenShape.kind(of: token)
  }

  /// The body as an object.
  static func object(_ body: [UInt8]) throws(InstanceIDRefusal) -> JSONObject {
    guard let object = (try? JSONReader.parse(body))?.objectValue else {
      throw .badRequest("the body is no JSON object", fix: "send a JSON object")
    }
    return object
  }

  /// A list of one to `limit` strings.
  static func strings(
    _ value: JSONValue?, named name: String, limit: Int, fix: String
  ) throws(InstanceIDRefusal) -> [String] {
    let items = value?.arrayValue ?? []
    let strings = items.compactMap(\.stringValue)
    guard !items.isEmpty, strings.count == items.count else {
      throw .badRequest("\(name) is no list of strings with at least one", fix: fix)
    }
    guard items.count <= limit else {
      throw .badRequest(
        "\(name) has \(items.count) elements", fix: "send at most \(limit) in one request")
    }
    return strings
  }
}

extension Platform {
  /// As the Instance ID API spells it (Google's reference).
  fileprivate var instanceIDName: String {
    switch self {
    case .ios: "IOS"
    case .android: "ANDROID"
    case .web: "CHROME"
    }
  }
}
