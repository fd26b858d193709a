internal import PushpitHTTPTypes
internal import PushpitJSON
package import PushpitModel

/// The codes of diagnoses about broadcasts and channels.
extension DiagnosisCode {
  package static let requestIDNotUUID = DiagnosisCode("request-id-not-uuid")
  package static let channelsAtPushHost = DiagnosisCode("channels-at-push-host")
  package static let pushAtChannelsHost = DiagnosisCode("push-at-channels-host")
  package static let suffixOnBundleID = DiagnosisCode("suffix-on-bundle-id")
  package static let appNotOfKey = DiagnosisCode("app-not-of-key")
  package static let broadcastNotEnabled = DiagnosisCode("broadcast-not-enabled")
  package static let channelIDMissing = DiagnosisCode("channel-id-missing")
  package static let channelIDMalformed = DiagnosisCode("channel-id-malformed")
  package static let channelUnknown = DiagnosisCode("channel-unknown")
  package static let channelDeleted = DiagnosisCode("channel-deleted")
  package static let channelOfOtherApp = DiagnosisCode("channel-of-other-app")
  package static let channelOfOtherEnvironment = DiagnosisCode("channel-of-other-environment")
  package static let channelOfOtherWorkspace = DiagnosisCode("channel-of-other-workspace")
  package static let channelBodyNotJSON = DiagnosisCode("channel-body-not-json")
  package static let channelMemberUnknown = DiagnosisCode("channel-member-unknown")
  package static let storagePolicyInvalid = DiagnosisCode("storage-policy-invalid")
  package static let channelLimitReached = DiagnosisCode("channel-limit-reached")
  package static let pushTypeMissing = DiagnosisCode("push-type-missing")
  package static let pushTypeNotLiveActivity = DiagnosisCode("push-type-not-live-activity")
  package static let priorityMissing = DiagnosisCode("priority-missing")
  package static let expirationMissing = DiagnosisCode("expiration-missing")
  package static let expirationWithoutStorage = DiagnosisCode("expiration-without-storage")
  package static let broadcastCannotStart = DiagnosisCode("broadcast-cannot-start")
}

// MARK: - Path, method and credential

extension APNsDiagnoses {
  static func broadcastMethod(_ method: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .methodNotPost, what: "the request's method is \(quoted(method)), a broadcast needs POST",
      fix: "send POST /4/broadcasts/apps/<bundle ID>")
  }

  static func methodOfNoChannelRequest(_ method: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .pathOfNoEndpoint,
      what: "the request's method is \(quoted(method)), channels know POST, GET and DELETE",
      fix: "make a channel with POST, read it with GET, delete it with DELETE; it cannot be changed"
    )
  }

  /// A path, or a method of a path, that the host for channels does not have.
  static func pathOfNoChannels(_ head: RequestHead, _ path: APNsPath) -> Diagnosis {
    let request = text(head.method) + " " + text(head.path.prefix(80))
    switch path {
    case .device, .broadcast:
      return Diagnosis(
        .pushAtChannelsHost,
        what:
          "the request \"\(request)\" sends a push, and \(quoted(head.authority[...])) only has "
          + "channels",
        fix: "send pushes and broadcasts to api.push.apple.com or api.sandbox.push.apple.com")
    case .channels, .allChannels, .unknown:
      return Diagnosis(
        .pathOfNoEndpoint,
        what: "channels have no \"\(request)\"; there are POST, GET and DELETE of "
          + "/1/apps/<bundle ID>/channels and GET of /1/apps/<bundle ID>/all-channels",
        fix: "check method and path; the bundle ID is one segment of letters, digits, hyphens and "
          + "periods")
    }
  }

  static func channelsAtPushHost(_ head: RequestHead) -> Diagnosis {
    Diagnosis(
      .channelsAtPushHost,
      what:
        "the path \(quoted(head.path)) is about channels, and \(quoted(head.authority[...])) only takes "
        + "pushes",
      fix: "use api-manage-broadcast.sandbox.push.apple.com:2195, or "
        + "api-manage-broadcast.push.apple.com:2196")
  }

  static func badRequestID(_ id: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .requestIDNotUUID,
      what: "apns-request-id is \(quoted(id)), which is not a UUID in the form 8-4-4-4-12",
      fix: "send a UUID with its four hyphens, or leave it out and read it from the answer")
  }

  static func suffixOnBundleID(_ app: ArraySlice<UInt8>, _ suffix: StaticString) -> Diagnosis {
    Diagnosis(
      .suffixOnBundleID,
      what: "the path has \(quoted(app)), a bundle ID with the suffix of a topic",
      fix: "send \(text(app.dropLast(suffix.utf8CodeUnitCount))), the bundle ID without \(suffix)")
  }

  static func appNotOfKey(_ app: ArraySlice<UInt8>, _ key: APNsKey, _ topics: [String])
    -> Diagnosis
  {
    let some = topics.prefix(3).joined(separator: ", ") + (topics.count > 3 ? ", ..." : "")
    return Diagnosis(
      .appNotOfKey,
      what: "the key \(key.keyID) is for the topics \(some) and not for the app \(quoted(app))",
      fix: "use a team-scoped key, or add the bundle ID to the topics of this key")
  }

  static func broadcastOff(_ app: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .broadcastNotEnabled, what: "the app \(quoted(app)) has no broadcast capability",
      fix: "switch it on for the App ID at developer.apple.com (Push Notifications, Broadcast "
        + "Support); here it is the setting broadcastDisabledApps of the workspace")
  }
}

// MARK: - Channels

extension APNsDiagnoses {
  static func missingChannelID() -> Diagnosis {
    Diagnosis(
      .channelIDMissing, what: "the request has no apns-channel-id",
      fix: "send the id that the answer to the channel's creation had in apns-channel-id")
  }

  static func badChannelID(_ id: ArraySlice<UInt8>) -> Diagnosis {
    let isURL = id.contains(UInt8(ascii: "-")) || id.contains(UInt8(ascii: "_"))
    let isEncoded = id.contains(UInt8(ascii: "%"))
    let what =
      if id.count > BroadcastCall.channelIDLimit {
        "apns-channel-id has \(id.count) bytes, which no channel's id has"
      } else if isURL {
        "apns-channel-id is \(quoted(id)), which is in the alphabet of base64url"
      } else if isEncoded {
        "apns-channel-id is \(quoted(id)), which is percent-encoded"
      } else {
        "apns-channel-id is \(quoted(id)), which is not whole base64"
      }
    return Diagnosis(
      .channelIDMalformed, what: what,
      fix: "send the id exactly as the creation's answer had it, with every /, + and =")
  }

  static func unknownChannel(_ id: [UInt8]) -> Diagnosis {
    Diagnosis(
      .channelUnknown, what: "there never was a channel \(quoted(id[...]))",
      fix: "make the channel first and keep its id; channels are gone when the gateway stops")
  }

  static func deletedChannel(_ channel: Channel, _ end: Channel.End) -> Diagnosis {
    let how =
      switch end {
      case .deleted(let time): "at \(time.rfc3339)"
      case .capabilityRemoved: "when the app's broadcast capability was switched off"
      }
    return Diagnosis(
      .channelDeleted,
      what: "the channel \(channel.text) of \(channel.app) was deleted \(how)",
      fix: "make a new channel, and let the Live Activities subscribe to it")
  }

  static func channelOfOtherApp(_ channel: Channel, used app: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .channelOfOtherApp,
      what: "the channel \(channel.text) is of the app \(channel.app), the path has \(quoted(app))",
      fix: "send with the bundle ID \(channel.app) in the path, or make a channel of this app")
  }

  static func channelOfOtherEnvironment(_ channel: Channel) -> Diagnosis {
    let own = channel.environment.rawValue
    return Diagnosis(
      .channelOfOtherEnvironment,
      what: "the channel \(channel.text) is of the \(own) environment, and the request went to the "
        + "other one",
      fix: "send it to the \(own) host; the environments share no channels")
  }

  static func channelOfOtherWorkspace(
    _ id: [UInt8], _ owner: WorkspaceID, used workspace: WorkspaceID
  ) -> Diagnosis {
    Diagnosis(
      .channelOfOtherWorkspace,
      what: "the channel \(quoted(id[...])) is of workspace \(owner), the credential of workspace "
        + "\(workspace)",
      fix: "use a credential of workspace \(owner), or make the channel in \(workspace)")
  }

  static func channelBodyNotJSON(_ body: ArraySlice<UInt8>) -> Diagnosis {
    let what =
      body.isEmpty
      ? "the request has no body"
      : "the request's body begins \(quoted(body.prefix(24))) and is no JSON object"
    return Diagnosis(
      .channelBodyNotJSON, what: what,
      fix: "send {\"message-storage-policy\": 1, \"push-type\": \"LiveActivity\"}")
  }

  static func unknownChannelMember(_ name: String) -> Diagnosis {
    Diagnosis(
      .channelMemberUnknown,
      what: "the request's body has \"\(name.prefix(80))\", which a channel does not have",
      fix: "send message-storage-policy and push-type, and nothing else")
  }

  static func badStoragePolicy(_ value: JSONValue?) -> Diagnosis {
    let what =
      value.map { "message-storage-policy is \(json($0)), which is no policy" }
      ?? "the request's body has no message-storage-policy"
    return Diagnosis(
      .storagePolicyInvalid, what: what,
      fix: "send the number 0 to store nothing, or 1 to store the most recent message")
  }

  static func tooManyChannels(_ full: ChannelDirectory.Full, app: String) -> Diagnosis {
    let what =
      switch full {
      case .app(let limit): "the app \(app) has \(limit) channels here, which is Apple's limit"
      case .workspace(let limit):
        "the workspace has \(limit) channels, which is the gateway's own limit"
      }
    return Diagnosis(
      .channelLimitReached, what: what,
      fix: "delete channels whose event is over; GET /1/apps/<bundle ID>/all-channels lists them")
  }
}

// MARK: - Push type, priority, expiration, payload

extension APNsDiagnoses {
  static func missingBroadcastType() -> Diagnosis {
    Diagnosis(
      .pushTypeMissing, what: "the broadcast has no apns-push-type, which it needs",
      fix: "send apns-push-type: liveactivity")
  }

  static func otherBroadcastType(_ value: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .pushTypeNotLiveActivity,
      what: "apns-push-type is \(quoted(value)); only Live Activities get broadcasts",
      fix: "send apns-push-type: liveactivity, or a push for each device")
  }

  static func missingChannelType() -> Diagnosis {
    Diagnosis(
      .pushTypeMissing, what: "the request's body has no push-type",
      fix: "send \"push-type\": \"LiveActivity\"")
  }

  static func otherChannelType(_ value: JSONValue) -> Diagnosis {
    Diagnosis(
      .pushTypeNotLiveActivity,
      what: "push-type is \(json(value)); only Live Activities have channels",
      fix: "send \"push-type\": \"LiveActivity\"")
  }

  static func missingBroadcastPriority() -> Diagnosis {
    Diagnosis(
      .priorityMissing, what: "the broadcast has no apns-priority, which it needs",
      fix: "send 10 to deliver at once, or 5 or 1 to save power")
  }

  static func badBroadcastPriority(_ value: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .priorityInvalid, what: "apns-priority is \(quoted(value)); APNs knows 10, 5 and 1",
      fix: "send 10 to deliver at once, or 5 or 1 to save power")
  }

  static func missingBroadcastExpiration() -> Diagnosis {
    Diagnosis(
      .expirationMissing, what: "the broadcast has no apns-expiration, which it needs",
      fix: "send 0 for now or never, or seconds since 1970 on a channel that stores messages")
  }

  static func expirationWithoutStorage(_ expiration: Int64, _ channel: Channel) -> Diagnosis {
    Diagnosis(
      .expirationWithoutStorage,
      what: "apns-expiration is \(expiration), and the channel \(channel.text) stores no messages",
      fix: "send apns-expiration: 0, or make a channel with message-storage-policy 1")
  }

  static func broadcastStart() -> Diagnosis {
    Diagnosis(
      .broadcastCannotStart,
      what: "aps.event is \"start\", and a broadcast can only update or end Live Activities",
      fix: "start each activity with a push to its device, with input-push-channel in aps")
  }

  /// A value as JSON, cut at a readable length.
  private static func json(_ value: JSONValue) -> String {
    let text = text(value.serialized())
    return text.count > 80 ? text.prefix(80) + "..." : text
  }
}
