import PushpitModel

extension DiagnosisCode {
  static let subscriptionExists = DiagnosisCode("subscription-exists")
  static let subscriptionUnknown = DiagnosisCode("subscription-unknown")
  static let tooManyTopics = DiagnosisCode("too-many-topics")
  static let pageInvalid = DiagnosisCode("page-invalid")
  static let accessTokenAuthMissing = DiagnosisCode("access-token-auth-missing")
  static let requestInvalid = DiagnosisCode("request-invalid")
  static let groupUnknown = DiagnosisCode("device-group-unknown")
  static let groupExists = DiagnosisCode("device-group-exists")
  static let groupTooLarge = DiagnosisCode("device-group-too-large")
  static let groupWithoutTokens = DiagnosisCode("device-group-without-tokens")
  static let groupOfOtherProject = DiagnosisCode("device-group-of-other-project")
  static let projectIDFieldWrong = DiagnosisCode("project-id-field-wrong")
}

/// Topic subscriptions.
extension FCMDiagnoses {
  static func subscriptionExists(
    _ token: [UInt8], _ subscription: TopicDirectory.Subscription
  ) -> Diagnosis {
    Diagnosis(
      .subscriptionExists,
      what: "the token \(short(token)) is subscribed to \(clipped(subscription.topic)) since "
        + subscription.createdAt.rfc3339,
      fix: "take 409 for a success, as the SDKs do; the subscription stands")
  }

  static func subscriptionNotFound(_ token: [UInt8], _ topic: String) -> Diagnosis {
    Diagnosis(
      .subscriptionUnknown,
      what: "the token \(short(token)) is not subscribed to \(clipped(topic))",
      fix: "keep the token, it is good; add allowMissing=true where it does not matter")
  }

  static func tooManyTopics(_ token: [UInt8], _ full: TopicDirectory.Full) -> Diagnosis {
    switch full {
    case .token(let limit):
      Diagnosis(
        .tooManyTopics,
        what: "the token \(short(token)) is subscribed to \(limit) topics, which is the limit",
        fix: "unsubscribe it from some; for a topic each user, send to the user's tokens instead")
    case .workspace(let limit):
      Diagnosis(
        .tooManyTopics,
        what: "the workspace has \(limit) subscriptions, which is the most this gateway keeps",
        fix: "remove devices or subscriptions that are not needed any more")
    }
  }

  static func pageInvalid(_ what: String) -> Diagnosis {
    Diagnosis(
      .pageInvalid, what: "\(what) cannot be",
      fix: "send a pageSize from 0 to \(TopicSubscriptions.pageSizeLimit), and as pageToken the "
        + "nextPageToken of the answer before")
  }
}

/// The Instance ID API and device groups.
extension FCMDiagnoses {
  static let accessTokenAuthMissing = Diagnosis(
    .accessTokenAuthMissing,
    what: "the bearer is an access token, and the field access_token_auth: true is missing",
    fix: "send access_token_auth: true; without it the credential is read as a key of the legacy "
      + "API")

  static func requestInvalid(_ what: String, fix: String) -> Diagnosis {
    Diagnosis(.requestInvalid, what: what, fix: fix)
  }

  static func instanceUnknown(_ token: [UInt8]) -> Diagnosis {
    Diagnosis(
      .tokenUnknown, what: "the token \(short(token)) was never registered or subscribed",
      fix: "create a device with this token, or subscribe it to a topic first")
  }

  static func groupUnknown(_ text: String) -> Diagnosis {
    Diagnosis(
      .groupUnknown,
      what: "there is no device group \(text) in the sender's project",
      fix:
        "create it first; a group is deleted when its last member leaves, and members leave when "
        + "their app is uninstalled")
  }

  /// A text in a message's token that has the form of a notification key.
  static func notificationKeyUnknown(_ key: [UInt8]) -> Diagnosis {
    Diagnosis(
      .groupUnknown, what: "the notification key \(short(key)) is of no device group",
      fix:
        "create the group first; it is deleted when its last member leaves, and members leave when "
        + "their app is uninstalled; a registration token has a colon before \(DeviceGroups.keyStart)"
    )
  }

  static func tooManyRegistrationIDs(_ count: Int) -> Diagnosis {
    Diagnosis(
      .requestInvalid,
      what:
        "the body has \(count) registration_ids, and at most \(InstanceIDService.batchLimit) are "
        + "read",
      fix:
        "send fewer in each request; a group has at most \(DeviceGroupDirectory.memberLimit) members"
    )
  }

  static func groupExists(_ group: DeviceGroup) -> Diagnosis {
    Diagnosis(
      .groupExists,
      what: "the project has a device group \(clipped(group.name)) of \(group.members.count) "
        + "members",
      fix: "ask for its key with GET /fcm/notification?notification_key_name=..., then add to it")
  }

  static func groupTooLarge(limit: Int) -> Diagnosis {
    Diagnosis(
      .groupTooLarge, what: "the device group would have more than \(limit) members",
      fix: "remove members first, or send to a topic")
  }

  static func tooManyGroups(limit: Int) -> Diagnosis {
    Diagnosis(
      .groupTooLarge, what: "the workspace has \(limit) device groups, which is the limit",
      fix: "remove the members of groups that are not needed any more")
  }

  static func groupWithoutTokens(_ first: Diagnosis?) -> Diagnosis {
    Diagnosis(
      .groupWithoutTokens,
      what: "none of the registration_ids can be used: "
        + (first?.what ?? "there are none"),
      fix: first?.fix ?? "send at least one registration token")
  }

  static func groupOfOtherProject(_ key: [UInt8], _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .groupOfOtherProject,
      what: "the notification key \(short(key)) is of another project than \(account.projectID)",
      fix: "send with a service account of the project that made the device group")
  }

  static func projectIDFieldWrong(_ value: String?, _ account: ServiceAccount) -> Diagnosis {
    Diagnosis(
      .projectIDFieldWrong,
      what: value.map { "the field project_id is \(clipped($0)), and the sender's number is " }
        .map { $0 + account.projectNumber } ?? "the field project_id is missing",
      fix: "send project_id: \(account.projectNumber), the sender ID, which is a number")
  }

  static func batchTokenRefused(
    _ index: Int, _ error: String, _ diagnosis: Diagnosis
  ) -> PayloadWarning {
    PayloadWarning(
      code: "batch-token-refused", pointer: "/registration_tokens/\(index)",
      expected: "a living token of the sender's project", found: error,
      text: "\(diagnosis.what); \(diagnosis.fix)")
  }

  static func apnsTokenNotImported(_ index: Int, _ what: String) -> PayloadWarning {
    PayloadWarning(
      code: "batch-token-refused", pointer: "/apns_tokens/\(index)",
      expected: "a living APNs token of the application", found: "Internal Server Error",
      text: what)
  }
}
