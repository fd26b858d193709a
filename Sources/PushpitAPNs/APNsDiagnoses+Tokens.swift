internal import PushpitHTTPTypes
internal import PushpitModel

// What is wrong with device tokens.

extension APNsDiagnoses {
  static func missingDeviceToken() -> Diagnosis {
    Diagnosis(
      .deviceTokenMissing, what: "the path ends after /3/device/ without a device token",
      fix: "look for an empty token in your registry, and put the device's token into the path")
  }

  static func fcmToken(_ token: ArraySlice<UInt8>, record: TokenRecord?) -> Diagnosis {
    let owner =
      switch record?.platform {
      case .android: " of an Android device"
      case .web: " of a web app"
      case .ios: " of an iOS app with Firebase"
      case nil: ""
      }
    return Diagnosis(
      .fcmTokenAtAPNs,
      what: "the token \(shortened(token)) is an FCM registration token\(owner), not an APNs "
        + "device token",
      fix: "register the APNs token (in Flutter getAPNSToken(), not getToken()), or send this one "
        + "to FCM")
  }

  static func tokenNotHex(_ token: ArraySlice<UInt8>) -> Diagnosis {
    let short = shortened(token)
    let isHex = token.allSatisfy { PercentCoding.hexValue($0) != nil }
    let what =
      if token.first == UInt8(ascii: "<") {
        "the token \(short) is the description of a Data object"
      } else if isHex {
        "the token \(short) has \(token.count) hexadecimal digits, which is not an even "
          + "number from 64 to 200"
      } else if APNsService.isCanonicalUUID(token) {
        "the token \(short) is a UUID, as identifierForVendor is one, and no device token"
      } else if TokenShape.kind(of: token) == .fid {
        "the token \(short) is a Firebase installation ID, or base64, and no device token"
      } else {
        "the token \(short) has characters that are no hexadecimal digits, as in base64"
      }
    return Diagnosis(
      .tokenNotHex, what: what,
      fix:
        "send each byte of the device token as two hexadecimal digits, all of them, with nothing "
        + "between")
  }

  static func tokenUnknown(_ token: ArraySlice<UInt8>, workspace: WorkspaceID) -> Diagnosis {
    Diagnosis(
      .tokenUnknown,
      what: "no device of workspace \(workspace) has the token \(shortened(token)), and its policy "
        + "is strict",
      fix: "create a device with this token, or set the policy tokens to open")
  }

  static func tokenOfOtherWorkspace(_ record: TokenRecord, used workspace: WorkspaceID)
    -> Diagnosis
  {
    Diagnosis(
      .tokenOfOtherWorkspace,
      what: "the token \(shortened(record.token)) is of workspace \(record.workspace), the "
        + "credential of workspace \(workspace)",
      fix: "send with a credential of workspace \(record.workspace), or create the device in "
        + "\(workspace)")
  }

  static func tokenOfOtherEnvironment(_ token: ArraySlice<UInt8>, is environment: APNsEnvironment)
    -> Diagnosis
  {
    let (code, used, builds): (DiagnosisCode, String, String) =
      switch environment {
      case .sandbox: (.sandboxTokenAtProduction, "production", "builds from Xcode")
      case .production: (.productionTokenAtSandbox, "sandbox", "TestFlight and App Store builds")
      }
    return Diagnosis(
      code,
      what: "the token \(shortened(token)) is of the \(environment.rawValue) environment and was "
        + "sent to \(used)",
      fix:
        "send it to the \(environment.rawValue) host; \(builds) get \(environment.rawValue) tokens")
  }

  /// A token that a device registered for one topic came with another.
  static func tokenOfOtherTopic(_ record: TokenRecord, used topic: ArraySlice<UInt8>) -> Diagnosis {
    let device = record.device.map { " of device \($0)" } ?? ""
    let kind = record.purpose?.title ?? "token"
    let good = text(record.topic)
    let type = APNsPushType.ofSuffix(record.topic[...])
    let typeAdvice = type.map { " and apns-push-type \($0.text)" } ?? ""
    return Diagnosis(
      .tokenOfOtherTopic,
      what: "the token \(shortened(record.token)) is the \(kind)\(device) and takes the topic "
        + "\(good); apns-topic is \(quoted(topic))",
      fix: "send it with apns-topic \(good)\(typeAdvice), or send to \(tokenWanted(by: topic))")
  }

  /// Which token a topic is for.
  private static func tokenWanted(by topic: ArraySlice<UInt8>) -> String {
    guard let type = APNsPushType.ofSuffix(topic), let suffix = type.topicSuffix else {
      return "the device token that the app \(quoted(topic)) registered"
    }
    let kinds = DeviceTokenKind.allCases.filter { $0.topicSuffix.description == suffix.description }
    return "the app's " + kinds.map(\.title).joined(separator: " or ")
  }

  /// `answered` is when APNs began to say so, later than `since` by the uninstall delay.
  static func tokenUnregistered(
    _ token: ArraySlice<UInt8>, since: Timestamp, answered: Timestamp? = nil
  ) -> Diagnosis {
    let begin = answered.flatMap { $0 == since ? nil : $0 }
    let delay = begin.map { ", which APNs says since \($0.rfc3339)" } ?? ""
    return Diagnosis(
      .tokenUnregisteredSince,
      what: "the app of the token \(shortened(token)) was uninstalled at \(since.rfc3339)\(delay)",
      fix: "delete the token, unless your registry got it again after that time")
  }

  static func tokenExpired(_ token: ArraySlice<UInt8>, since: Timestamp) -> Diagnosis {
    Diagnosis(
      .tokenExpiredSince,
      what: "the token \(shortened(token)) expired at \(since.rfc3339)",
      fix: "delete the token, unless your registry got it again after that time")
  }

  static func tokenRotated(_ token: ArraySlice<UInt8>, at time: Timestamp) -> Diagnosis {
    Diagnosis(
      .sentToRotatedToken,
      what: "the token \(shortened(token)) was replaced by a newer one at \(time.rfc3339)",
      fix: "store the token that the app reports at every launch, and delete the old one")
  }

  /// The app of the token logged out; APNs accepts such a push.
  static func sentAfterClear(_ record: TokenRecord) -> PayloadWarning {
    PayloadWarning(
      code: "sent-after-clear",
      text: "the app of the token \(shortened(record.token)) logged out and cleared it; delete it "
        + "from the registry at logout")
  }

  /// A token that nobody registered came with a second topic or environment.
  static func tokenUsedForTwoApps(
    _ record: TokenRecord, topic: ArraySlice<UInt8>, environment: APNsEnvironment
  ) -> PayloadWarning {
    let first = text(record.firstUse) + " in " + (record.firstEnvironment?.rawValue ?? "")
    let second = text(topic) + " in " + environment.rawValue
    return PayloadWarning(
      code: "token-used-for-two-apps", expected: first, found: second,
      text: "the token \(shortened(record.token)) was first used for \(first), now for \(second); "
        + "a token takes one topic in one environment, and other kinds of pushes have their own")
  }
}
