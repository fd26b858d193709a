import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

/// `/fcm/notification`: device groups are created, changed and looked up (Google: Send messages to
/// device groups).
///
/// The texts of the errors are long-standing ones of Google's documents and of reports, where not said
/// otherwise.
struct DeviceGroups {
  /// How long a notification key is; Google's document shows none whole.
  private static let keyLength = 140
  /// What a notification key begins with, as in Google's document.
  static let keyStart = "APA91b"
  private static let base64URL: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  /// The longest name of a group in bytes; Google says none.
  static let nameLimit = 1000

  let authentication: InstanceIDAuthentication
  let workspaces: WorkspaceDirectory
  let tokens: TokenRegistry
  let random: RandomSource

  /// Answers a request that creates or changes a group.
  func change(_ request: PushRequest, outcome: inout PushOutcome) -> FCMAnswer {
    answer(request, outcome: &outcome) { account, outcome throws(InstanceIDRefusal) in
      let body = try InstanceIDService.object(request.body)
      switch body["operation"]?.stringValue {
      case "create": return try create(body, account, at: request.receivedAt)
      case "add": return try add(body, account, at: request.receivedAt)
      case "remove": return try remove(body, account)
      default:
        throw .badRequest(
          "the body names no operation that there is", fix: "set operation to create, add or remove"
        )
      }
    }
  }

  /// Answers a request for the key of a name.
  func show(_ request: PushRequest, outcome: inout PushOutcome) -> FCMAnswer {
    answer(request, outcome: &outcome) { account, outcome throws(InstanceIDRefusal) in
      let pair = PercentCoding.pairs(request.head.query).last {
        $0.name == "notification_key_name" && !$0.value.isEmpty
      }
      guard let name = pair?.value else {
        throw .badRequest(
          "the query names no group", fix: "add ?notification_key_name=<name of the group>")
      }
      let group = workspaces[account.workspace].groups
        .group(named: name, in: account.projectID)
      guard let group else { throw Self.notFound(FCMDiagnoses.clipped(name)) }
      return group.key
    }
  }

  private func answer(
    _ request: PushRequest, outcome: inout PushOutcome,
    _ key: (ServiceAccount, inout PushOutcome) throws(InstanceIDRefusal) -> [UInt8]
  ) -> FCMAnswer {
    do throws(InstanceIDRefusal) {
      let account = try authentication.account(of: request, outcome: &outcome)
      try Self.checkProject(request.head, account)
      let key = try key(account, &outcome)
      outcome.token = key[...]
      return .instanceID(
        200, JSONObject(["notification_key": .string(String(decoding: key, as: UTF8.self))]))
    } catch {
      return error.answer(&outcome)
    }
  }

  /// Google documents the sender ID in `project_id`; what a wrong or missing one gets is assumed: the
  /// page with 401, or BadRequest.
  private static func checkProject(
    _ head: RequestHead, _ account: ServiceAccount
  ) throws(InstanceIDRefusal) {
    let number = head.fields.text("project_id")
    guard number != account.projectNumber else { return }
    throw InstanceIDRefusal(
      number == nil ? .error(400, "BadRequest") : .unauthorized,
      FCMDiagnoses.projectIDFieldWrong(number, account))
  }
}

// MARK: - Operations

extension DeviceGroups {
  private func create(
    _ body: JSONObject, _ account: ServiceAccount, at time: Timestamp
  ) throws(InstanceIDRefusal) -> [UInt8] {
    guard let name = body["notification_key_name"]?.stringValue, !name.isEmpty,
      name.utf8.count <= Self.nameLimit
    else {
      throw .badRequest(
        "the body has no notification_key_name",
        fix: "name the group in 1 to \(Self.nameLimit) bytes")
    }
    let workspace = workspaces[account.workspace]
    if let known = workspace.groups.group(named: name, in: account.projectID) {
      throw InstanceIDRefusal(
        .error(400, "notification_key already exists"), FCMDiagnoses.groupExists(known))
    }
    let members = try usableTokens(body, account, at: time)
    let rest = random.text(Self.keyLength - Self.keyStart.utf8.count, of: Self.base64URL)
    let key = Array((Self.keyStart + rest).utf8)
    do throws(DeviceGroupDirectory.Problem) {
      return try workspace.groups.create(
        key: key, name: name, project: account.projectID, members: members
      ).key
    } catch {
      throw Self.refusal(error)
    }
  }

  private func add(
    _ body: JSONObject, _ account: ServiceAccount, at time: Timestamp
  ) throws(InstanceIDRefusal) -> [UInt8] {
    let group = try group(body, account)
    let members = try usableTokens(body, account, at: time)
    do throws(DeviceGroupDirectory.Problem) {
      try workspaces[account.workspace].groups.add(members, to: group)
      return group.key
    } catch {
      throw Self.refusal(error)
    }
  }

  /// Dead tokens can be removed too; only the form is looked at.
  private func remove(
    _ body: JSONObject, _ account: ServiceAccount
  ) throws(InstanceIDRefusal) -> [UInt8] {
    let group = try group(body, account)
    let tokens = try Self.tokens(of: body)
    let wellFormed = tokens.filter {
      MessageRules.faultOfForm($0, field: "registration_ids") == nil
    }
    guard !wellFormed.isEmpty else {
      let first = tokens.first.flatMap {
        MessageRules.faultOfForm($0, field: "registration_ids")
      }
      throw Self.noTokens(first)
    }
    workspaces[account.workspace].groups.remove(wellFormed, from: group)
    return group.key
  }

  /// The group of the body's key, in the sender's project; when there is a name too, it must be the
  /// group's (assumed; Google: it "isn't required, but it protects against errors").
  private func group(
    _ body: JSONObject, _ account: ServiceAccount
  ) throws(InstanceIDRefusal) -> DeviceGroup {
    let key = Array((body["notification_key"]?.stringValue ?? "").utf8)
    guard let group = workspaces[account.workspace].groups[key],
      group.project == account.projectID,
      body["notification_key_name"]?.stringValue.map({ $0 == group.name }) ?? true
    else {
      throw Self.notFound("with the key \(FCMDiagnoses.short(key)) and this name")
    }
    return group
  }

  /// The tokens that can be members.
  ///
  /// Those that cannot are left out, and all of them being so is the error (reports of
  /// "no valid registration ids" say that invalid ones are dropped otherwise).
  private func usableTokens(
    _ body: JSONObject, _ account: ServiceAccount, at time: Timestamp
  ) throws(InstanceIDRefusal) -> [[UInt8]] {
    let lookup = TokenLookup(tokens: tokens, workspaces: workspaces)
    var usable: [[UInt8]] = []
    var first: Diagnosis?
    for token in try Self.tokens(of: body) {
      if let fault = MessageRules.faultOfForm(token, field: "registration_ids") {
        first = first ?? fault
        continue
      }
      do throws(FCMRefusal) {
        _ = try lookup.find(token, for: account, isValidationOnly: true, at: time)
        usable.append(token)
      } catch {
        first = first ?? error.diagnosis
      }
    }
    guard !usable.isEmpty else { throw Self.noTokens(first) }
    return usable
  }

  private static func tokens(of body: JSONObject) throws(InstanceIDRefusal) -> [[UInt8]] {
    let items = body["registration_ids"]?.arrayValue ?? []
    // More than any group and all its leavers could need: such a body is not worth a look-up each.
    guard items.count <= InstanceIDService.batchLimit else {
      throw InstanceIDRefusal(
        .error(400, "too many registration ids"), FCMDiagnoses.tooManyRegistrationIDs(items.count))
    }
    return items.compactMap(\.stringValue).map { Array($0.utf8) }
  }
}

// MARK: - Refusals

extension DeviceGroups {
  private static func notFound(_ text: String) -> InstanceIDRefusal {
    InstanceIDRefusal(
      .error(400, "notification_key not found"), FCMDiagnoses.groupUnknown(text))
  }

  private static func noTokens(_ first: Diagnosis?) -> InstanceIDRefusal {
    InstanceIDRefusal(
      .error(400, "no valid registration ids"), FCMDiagnoses.groupWithoutTokens(first))
  }

  /// The texts for too many are assumed; none was captured.
  private static func refusal(_ problem: DeviceGroupDirectory.Problem) -> InstanceIDRefusal {
    switch problem {
    case .nameTaken:
      InstanceIDRefusal(
        .error(400, "notification_key already exists"),
        Diagnosis(
          .groupExists, what: "the project has a device group of this name",
          fix: "ask for its key, then add to it"))
    case .tooManyMembers(let limit):
      InstanceIDRefusal(
        .error(400, "too many registration ids"), FCMDiagnoses.groupTooLarge(limit: limit))
    case .tooManyGroups(let limit):
      InstanceIDRefusal(
        .error(429, "RESOURCE_EXHAUSTED"), FCMDiagnoses.tooManyGroups(limit: limit))
    }
  }
}
