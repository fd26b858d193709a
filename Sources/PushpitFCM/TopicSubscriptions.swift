import PushpitCrypto
import PushpitJSON
import PushpitModel

/// `projects.registrations.topicSubscriptions` of the FCM API: credential, project, query, body, token,
/// topic, in this order, which is that of a send.
struct TopicSubscriptions {
  /// How many subscriptions a page has when the query does not say (Google's reference).
  static let defaultPageSize = 1000
  /// The most of a page (Google's reference); that more is cut to it is assumed, as in Google's guide for
  /// pagination (AIP-158).
  static let pageSizeLimit = 2000

  let authentication: SenderAuthentication
  let credentials: CredentialDirectory
  let workspaces: WorkspaceDirectory
  let tokens: TokenRegistry

  /// Answers a request, or records why not.
  func answer(
    _ request: PushRequest, project: String, registration: [UInt8], _ call: TopicSubscriptionCall,
    outcome: inout PushOutcome
  ) -> FCMAnswer {
    outcome.project = Array(project.utf8)[...]
    outcome.token = registration[...]
    outcome.tokenKind = TokenShape.kind(of: registration)
    do {
      return .resource(
        try perform(
          request, project: project, registration: registration, call, outcome: &outcome))
    } catch {
      outcome.reason = error.error.reason
      outcome.googleStatus = error.error.status.rawValue
      outcome.diagnosis = error.diagnosis
      return .failed(error.error)
    }
  }

  private func perform(
    _ request: PushRequest, project: String, registration: [UInt8], _ call: TopicSubscriptionCall,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> JSONObject {
    let account = try authenticate(request, project: project, call, outcome: &outcome)
    let workspace = workspaces[account.workspace]
    guard workspace.fcm.isAPIEnabled else {
      throw FCMRefusal(
        .apiDisabled(projectNumber: account.projectNumber), FCMDiagnoses.apiDisabled(account))
    }
    let parameters = QueryParameters(request.head)
    let query = try parameters.fields(of: TopicSubscriptionSchema.query(of: call))
    let mask = try parameters.mask(of: TopicSubscriptionSchema.answer(to: call))
    switch call {
    case .create, .patch: try Self.checkBody(request.body)
    case .list, .get, .delete: break
    }
    let found = try find(registration, for: account, at: request.receivedAt)
    outcome.app = found.record?.app
    outcome.warnings += found.warnings
    let place = Place(
      resource: "projects/\(project)/registrations/"
        + "\(String(decoding: registration, as: UTF8.self))/topicSubscriptions/",
      token: registration,
      project: found.record?.topicProject(of: account.projectID) ?? account.projectID,
      now: workspace.time(at: request.receivedAt))
    let answer = try answer(call, query, at: place, in: workspace, outcome: &outcome)
    return mask.applied(to: answer)
  }

  private func answer(
    _ call: TopicSubscriptionCall, _ query: JSONObject, at place: Place, in workspace: Workspace,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> JSONObject {
    let allowsMissing = query["allow_missing"]?.boolValue ?? false
    switch call {
    case .create:
      let topic = try Self.topic(query["topic_name"]?.stringValue ?? "", outcome: &outcome)
      return try create(topic, at: place, in: workspace)
    case .list:
      return try list(query, at: place, in: workspace)
    case .get(let name):
      let topic = try Self.topic(name, outcome: &outcome)
      return place.json(try subscription(to: topic, at: place, in: workspace))
    case .patch(let name):
      let topic = try Self.topic(name, outcome: &outcome)
      // A subscription has nothing that can be changed, so this is a `get` that may create.
      guard allowsMissing else {
        return place.json(try subscription(to: topic, at: place, in: workspace))
      }
      return place.json(try subscribe(to: topic, at: place, in: workspace).subscription)
    case .delete(let name):
      let topic = try Self.topic(name, outcome: &outcome)
      if !workspace.topics.unsubscribe(place.token, from: topic, in: place.project),
        !allowsMissing
      {
        throw FCMRefusal(
          .subscriptionNotFound, FCMDiagnoses.subscriptionNotFound(place.token, topic))
      }
      return JSONObject()
    }
  }

  private func authenticate(
    _ request: PushRequest, project: String, _ call: TopicSubscriptionCall,
    outcome: inout PushOutcome
  ) throws(FCMRefusal) -> ServiceAccount {
    let method = GoogleMethod(call)
    let token: AccessToken
    do {
      token = try authentication.token(of: request, for: method, outcome: &outcome)
    } catch {
      outcome.workspace = credentials.serviceAccount(project: project)?.workspace ?? request.home
      throw error
    }
    outcome.workspace = token.account.workspace
    try authentication.check(
      token, project: project, for: method, receivedAt: request.receivedAt)
    return token.account
  }

  private static func checkBody(_ body: [UInt8]) throws(FCMRefusal) {
    _ = try MessageBody.read(body, as: TopicSubscriptionSchema.subscription)
  }

  /// The registration, with the answers that a send to it would get.
  private func find(
    _ registration: [UInt8], for account: ServiceAccount, at time: Timestamp
  ) throws(FCMRefusal) -> TokenLookup.Found {
    // No answer was captured; the field is the resource's, as the discovery document names it.
    if let diagnosis = MessageRules.faultOfForm(registration, field: "parent") {
      throw FCMRefusal(.tokenInvalid(field: "parent"), diagnosis)
    }
    // Nothing new is remembered of a token that nobody registered: its subscriptions are enough.
    return try TokenLookup(tokens: tokens, workspaces: workspaces)
      .find(registration, for: account, isValidationOnly: true, at: time)
  }

  private static func topic(
    _ name: String, outcome: inout PushOutcome
  ) throws(FCMRefusal) -> String {
    outcome.topic = Array(name.utf8)[...]
    guard FCMTopicName.isValid(name.utf8) else {
      throw FCMRefusal(.subscriptionTopicInvalid, FCMDiagnoses.topicInvalid(name))
    }
    return name
  }
}

// MARK: - Subscriptions

extension TopicSubscriptions {
  /// Where a request is about: one token of one project.
  private struct Place {
    /// The name of its subscriptions, up to the topic.
    let resource: String
    let token: [UInt8]
    /// The one that the token's topics are kept under.
    let project: String
    let now: Timestamp

    /// A subscription as the API shows it.
    ///
    /// The keys are those of the discovery document; Google's guide prints them with underscores, and
    /// clients read neither.
    func json(_ subscription: TopicDirectory.Subscription) -> JSONObject {
      JSONObject([
        "name": .string(resource + subscription.topic),
        "topicName": .string(subscription.topic),
        "createTime": .string(subscription.createdAt.protobufJSON),
      ])
    }
  }

  private func create(
    _ topic: String, at place: Place, in workspace: Workspace
  ) throws(FCMRefusal) -> JSONObject {
    let made = try subscribe(to: topic, at: place, in: workspace)
    guard made.isNew else {
      throw FCMRefusal(
        .subscriptionExists,
        FCMDiagnoses.subscriptionExists(place.token, made.subscription))
    }
    return place.json(made.subscription)
  }

  private func subscribe(
    to topic: String, at place: Place, in workspace: Workspace
  ) throws(FCMRefusal) -> (subscription: TopicDirectory.Subscription, isNew: Bool) {
    do {
      return try workspace.topics.subscribe(
        place.token, to: topic, in: place.project, at: place.now)
    } catch {
      throw FCMRefusal(.tooManySubscriptions, FCMDiagnoses.tooManyTopics(place.token, error))
    }
  }

  private func subscription(
    to topic: String, at place: Place, in workspace: Workspace
  ) throws(FCMRefusal) -> TopicDirectory.Subscription {
    let known = workspace.topics.subscription(of: place.token, to: topic, in: place.project)
    guard let known else {
      throw FCMRefusal(
        .subscriptionNotFound, FCMDiagnoses.subscriptionNotFound(place.token, topic))
    }
    return known
  }

  private func list(
    _ query: JSONObject, at place: Place, in workspace: Workspace
  ) throws(FCMRefusal) -> JSONObject {
    let asked = query["page_size"]?.intValue ?? 0
    guard asked >= 0 else {
      throw FCMRefusal(.pageInvalid, FCMDiagnoses.pageInvalid("the page size \(asked)"))
    }
    let size = asked == 0 ? Self.defaultPageSize : min(asked, Self.pageSizeLimit)
    var rest = workspace.topics.subscriptions(of: place.token, in: place.project)[...]
    if let text = query["page_token"]?.stringValue, !text.isEmpty {
      guard let bytes = Base64.decode(text.utf8), FCMTopicName.isValid(bytes) else {
        throw FCMRefusal(.pageInvalid, FCMDiagnoses.pageInvalid("the page token"))
      }
      // The name that the last page ended with, so that a page stays right when others come and go.
      let last = String(decoding: bytes, as: UTF8.self)
      rest = rest.drop { $0.topic <= last }
    }
    var answer = JSONObject()
    let page = rest.prefix(size)
    // An empty list is absent in the JSON form of protobuf.
    if !page.isEmpty {
      answer["topicSubscriptions"] = .array(page.map { .object(place.json($0)) })
    }
    if page.count < rest.count, let last = page.last {
      answer["nextPageToken"] = .string(
        Base64.encode(Array(last.topic.utf8), url: true, padded: false))
    }
    return answer
  }
}

extension Timestamp {
  /// The JSON form of protobuf's Timestamp: with no or three digits of a fraction.
  fileprivate var protobufJSON: String {
    let text = rfc3339
    return text.hasSuffix(".000Z") ? String(text.dropLast(5)) + "Z" : text
  }
}
