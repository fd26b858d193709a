/// A method of one of Google's APIs as errors of the front end name it.
struct GoogleMethod: Sendable, Equatable {
  /// Full name with its service.
  let name: String
  /// The permission that it takes.
  let permission: String
  /// The host of its API.
  let service: String

  /// Captured in many 401 and 403 answers.
  static let sendMessage = GoogleMethod(
    name: "google.firebase.fcm.v1.FcmService.SendMessage",
    permission: "cloudmessaging.messages.create")

  /// Of IAM's credentials API: name and host are those of its definition.
  ///
  /// That its errors of the front end name them is by analogy with sends.
  static let generateAccessToken = GoogleMethod(
    name: "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
    permission: "iam.serviceAccounts.getAccessToken", service: "iamcredentials.googleapis.com")

  private init(name: String, permission: String, service: String = "fcm.googleapis.com") {
    self.name = name
    self.permission = permission
    self.service = service
  }

  /// The method of a call about topic subscriptions.
  ///
  /// Permissions are documented for `create` and `update`, the others follow them. The names were not
  /// captured: assumed are those that Google's rules for resource methods give, in the service of
  /// SendMessage.
  init(_ call: TopicSubscriptionCall) {
    let (name, verb) =
      switch call {
      case .create: ("CreateTopicSubscription", "create")
      case .list: ("ListTopicSubscriptions", "list")
      case .get: ("GetTopicSubscription", "get")
      case .delete: ("DeleteTopicSubscription", "delete")
      case .patch: ("UpdateTopicSubscription", "update")
      }
    self.init(
      name: "google.firebase.fcm.v1.FcmService." + name,
      permission: "cloudmessaging.topicSubscriptions." + verb)
  }
}
