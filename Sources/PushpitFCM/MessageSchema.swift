/// The fields of a send request: Google's discovery document `fcm.v1.json`, revision 20261023.
enum MessageSchema {
  /// The protobuf package of every type below.
  static let package = "google.firebase.fcm.v1."

  static let sendMessageRequest = MessageType(
    "SendMessageRequest",
    [
      MessageField("validate_only", .bool),
      MessageField("message", .message(message)),
    ])

  static let message = MessageType(
    "Message",
    [
      MessageField("name", .string),
      MessageField("data", .stringMap(entryType: package + "Message.DataEntry")),
      MessageField("notification", .message(notification)),
      MessageField("android", .message(androidConfig)),
      MessageField("android_v2", .message(androidConfigV2)),
      MessageField("webpush", .message(webpushConfig)),
      MessageField("apns", .message(apnsConfig)),
      MessageField("fcm_options", .message(fcmOptions)),
      MessageField("token", .string, oneof: "target"),
      MessageField("topic", .string, oneof: "target"),
      MessageField("condition", .string, oneof: "target"),
      MessageField("fid", .string, oneof: "target"),
    ])

  /// An entry of `map<string, string>`.
  static let mapEntry = MessageType(
    "Entry", [MessageField("key", .string), MessageField("value", .string)])

  /// `google.protobuf.Duration` and `google.protobuf.Timestamp` as objects.
  static let secondsAndNanos = MessageType(
    "Duration", package: "google.protobuf.",
    [MessageField("seconds", .int64), MessageField("nanos", .int32)])

  /// `google.protobuf.FloatValue` as an object.
  static let floatValue = MessageType(
    "FloatValue", package: "google.protobuf.", [MessageField("value", .float)])

  private static let notification = MessageType(
    "Notification",
    [
      MessageField("title", .string), MessageField("body", .string),
      MessageField("image", .string),
    ])

  private static let fcmOptions = MessageType(
    "FcmOptions", [MessageField("analytics_label", .string)])

  private static let androidFcmOptions = MessageType(
    "AndroidFcmOptions", [MessageField("analytics_label", .string)])

  private static let androidConfig = MessageType(
    "AndroidConfig",
    androidDelivery(entryType: "AndroidConfig.DataEntry") + [
      MessageField(
        "priority", .enumeration(EnumerationType("AndroidMessagePriority", ["NORMAL", "HIGH"]))),
      MessageField(
        "notification",
        .message(
          MessageType(
            "AndroidNotification",
            androidNotification + [
              MessageField("bypass_proxy_notification", .bool),
              MessageField(
                "proxy",
                .enumeration(
                  EnumerationType(
                    "AndroidNotification.Proxy",
                    ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]))),
            ]))),
    ])

  private static let androidConfigV2 = MessageType(
    "AndroidConfigV2",
    androidDelivery(entryType: "AndroidConfigV2.DataEntry") + [
      MessageField(
        "remote_notification",
        .message(
          MessageType(
            "RemoteNotification",
            [
              MessageField(
                "notification",
                .message(
                  MessageType(
                    "AndroidNotificationV2", androidNotification + [MessageField("id", .int32)]))),
              MessageField("mutable_content", .bool),
              MessageField("use_as_v1_data_message", .bool),
            ]))),
      MessageField("background_sync", .message(MessageType("BackgroundSync", []))),
    ])

  /// What both generations of the Android configuration share.
  private static func androidDelivery(entryType: String) -> [MessageField] {
    [
      MessageField("collapse_key", .string),
      MessageField("ttl", .duration),
      MessageField("restricted_package_name", .string),
      MessageField("data", .stringMap(entryType: package + entryType)),
      MessageField("fcm_options", .message(androidFcmOptions)),
      MessageField("direct_boot_ok", .bool),
      MessageField("bandwidth_constrained_ok", .bool),
      MessageField("restricted_satellite_ok", .bool),
    ]
  }

  /// What both generations of the Android notification share.
  private static let androidNotification: [MessageField] =
    [
      "title", "body", "icon", "color", "sound", "tag", "click_action", "body_loc_key",
      "title_loc_key", "channel_id", "ticker", "image",
    ].map { MessageField($0, .string) }
    + ["body_loc_args", "title_loc_args"].map { MessageField($0, .list(.string)) }
    + [
      "sticky", "local_only", "default_sound", "default_vibrate_timings", "default_light_settings",
    ].map { MessageField($0, .bool) } + [
      MessageField("event_time", .timestamp),
      MessageField("notification_priority", .enumeration(notificationPriority)),
      MessageField("vibrate_timings", .list(.duration)),
      MessageField("light_settings", .message(lightSettings)),
      MessageField("visibility", .enumeration(visibility)),
      MessageField("notification_count", .int32),
    ]

  private static let notificationPriority = EnumerationType(
    "AndroidNotification.NotificationPriority",
    [
      "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
      "PRIORITY_MAX",
    ])

  private static let visibility = EnumerationType(
    "AndroidNotification.Visibility",
    ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])

  private static let lightSettings = MessageType(
    "LightSettings",
    [
      MessageField("color", .message(color)),
      MessageField("light_on_duration", .duration),
      MessageField("light_off_duration", .duration),
    ])

  private static let color = MessageType(
    "Color", package: "google.type.",
    [
      MessageField("red", .float), MessageField("green", .float), MessageField("blue", .float),
      MessageField("alpha", .floatValue),
    ])

  private static let webpushConfig = MessageType(
    "WebpushConfig",
    [
      MessageField("headers", .stringMap(entryType: package + "WebpushConfig.HeadersEntry")),
      MessageField("data", .stringMap(entryType: package + "WebpushConfig.DataEntry")),
      MessageField("notification", .structure),
      MessageField(
        "fcm_options",
        .message(
          MessageType(
            "WebpushFcmOptions",
            [MessageField("link", .string), MessageField("analytics_label", .string)]))),
    ])

  private static let apnsConfig = MessageType(
    "ApnsConfig",
    [
      MessageField("headers", .stringMap(entryType: package + "ApnsConfig.HeadersEntry")),
      MessageField("payload", .structure),
      MessageField(
        "fcm_options",
        .message(
          MessageType(
            "ApnsFcmOptions",
            [MessageField("analytics_label", .string), MessageField("image", .string)]))),
      MessageField("live_activity_token", .string),
    ])
}
