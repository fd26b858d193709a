/// A method of the FCM API as errors of the front end name it.
struct GoogleMethod: Sendable, Equatable {
  /// Full name with its service.
  let name: String
  /// The permission that it takes.
  let permission: String

  /// Captured in many 401 and 403 answers.
  static let sendMessage = GoogleMethod(
    name: "google.firebase.fcm.v1.FcmService.SendMessage",
    permission: "cloudmessaging.messages.create")

  private init(name: String, permission: String) {
    self.name = name
    self.permission = permission
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
