/// The fields of topic subscriptions: Google's discovery document `fcm.v1.json`, revision 20261023.
enum TopicSubscriptionSchema {
  /// The body of `create` and `patch`.
  static let subscription = MessageType(
    "TopicSubscription",
    [
      MessageField("name", .string), MessageField("topic_name", .string),
      MessageField("create_time", .timestamp),
    ])

  /// The query of a call.
  static func query(of call: TopicSubscriptionCall) -> MessageType {
    switch call {
    case .create: create
    case .list: list
    case .get: get
    case .delete: delete
    case .patch: patch
    }
  }

  /// The answer to a call.
  static func answer(to call: TopicSubscriptionCall) -> MessageType {
    switch call {
    case .create, .get, .patch: subscription
    case .list: page
    case .delete: empty
    }
  }

  private static let page = MessageType(
    "ListTopicSubscriptionsResponse",
    [
      MessageField("topic_subscriptions", .list(.message(subscription))),
      MessageField("next_page_token", .string),
    ])
  private static let empty = MessageType("Empty", package: "google.protobuf.", [])

  private static let create = MessageType(
    "CreateTopicSubscriptionRequest", [MessageField("topic_name", .string)])
  private static let list = MessageType(
    "ListTopicSubscriptionsRequest",
    [MessageField("page_size", .int32), MessageField("page_token", .string)])
  private static let get = MessageType("GetTopicSubscriptionRequest", [])
  private static let delete = MessageType(
    "DeleteTopicSubscriptionRequest", [MessageField("allow_missing", .bool)])
  private static let patch = MessageType(
    "UpdateTopicSubscriptionRequest", [MessageField("allow_missing", .bool)])
}
