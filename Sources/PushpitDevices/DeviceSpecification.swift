package import PushpitJSON
package import PushpitModel

/// What a device is to be.
package struct DeviceSpecification: Sendable, Equatable {
  /// The app of a device that names none.
  package static let defaultApp = "com.example.app"
  /// The longest bundle ID or package name.
  static let appLengthLimit = 255

  package var platform: Platform
  /// Bundle ID or package name.
  package var app: String
  /// iOS only: the environment of its APNs token.
  package var environment: APNsEnvironment?
  /// Nil for a name that the directory makes.
  package var name: String?
  /// iOS only: whether the app has Firebase, hence an FCM registration token too.
  package var hasFirebase: Bool
  /// A device token that the app shall have; nil to mint one.
  package var apnsToken: String?
  /// A token that the device shall have; nil to mint one.
  package var fcmToken: String?
  /// iOS only: the app's device tokens of other kinds; a Live Activity's is that of one that runs.
  package var furtherTokens: [DeviceTokenKind: TokenWish]
  /// The FCM project of its registration token; nil for the directory's default.
  package var project: String?
  /// The payload contract's name.
  package var contract: String?
  /// How long after its launch the app is told its tokens; nil for at once.
  package var tokenDelay: Duration?
  /// Settings to begin with.
  package var settings: DeviceChange

  package init(
    platform: Platform, app: String = Self.defaultApp, environment: APNsEnvironment? = nil,
    name: String? = nil, hasFirebase: Bool = false, apnsToken: String? = nil,
    fcmToken: String? = nil, furtherTokens: [DeviceTokenKind: TokenWish] = [:],
    project: String? = nil, contract: String? = nil, tokenDelay: Duration? = nil,
    settings: DeviceChange = DeviceChange()
  ) {
    self.platform = platform
    self.app = app
    self.environment = environment ?? (platform == .ios ? .sandbox : nil)
    self.name = name
    self.hasFirebase = hasFirebase || (platform == .ios && fcmToken != nil)
    self.apnsToken = apnsToken
    self.fcmToken = fcmToken
    self.furtherTokens = furtherTokens
    self.project = project
    self.contract = contract
    self.tokenDelay = tokenDelay
    self.settings = settings
  }

  /// Reads the body of a `POST`.
  /// - Throws: `DeviceError.invalid` with every problem of the body.
  package init(json: JSONValue) throws(DeviceError) {
    var reader = InputReader(json, members: Self.members)
    let settings = DeviceChange(&reader)
    let platform: Platform? = reader.choice("platform")
    if reader.value("platform") == nil { reader.reportChoice("platform", of: Platform.self) }
    var tokens = InputReader(
      reader.value("tokens") ?? [:], at: "/tokens", members: Self.tokenMembers)
    let apnsToken = tokens.appToken(platform: platform)
    let furtherTokens = tokens.furtherTokens()
    let firebase = reader.bool("firebase")
    self.init(
      platform: platform ?? .ios, app: reader.string("app") ?? Self.defaultApp,
      environment: reader.choice("environment"), name: settings.name,
      hasFirebase: firebase ?? false, apnsToken: apnsToken, fcmToken: tokens.string("fcm"),
      furtherTokens: furtherTokens, project: reader.string("project"),
      contract: reader.string("contract"), tokenDelay: reader.tokenDelay(), settings: settings)
    reader.report(tokens.problems)
    if platform == .ios, firebase == false, fcmToken != nil {
      reader.report("firebase", "cannot be false for a device with an FCM registration token")
    }
    if platform != nil { reader.report(problems) }
    guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
  }

  private static let members: Set<String> = DeviceChange.members.union([
    "platform", "app", "environment", "tokens", "firebase", "project", "contract",
    "tokenDelay",
  ])
}

// MARK: - Rules

extension DeviceSpecification {
  /// What is wrong with it, by itself.
  package var problems: [InputProblem] {
    [appProblem].compactMap(\.self) + apnsTokenProblems + [fcmTokenProblem].compactMap(\.self)
      + platformProblems + settings.problems(on: platform) + emptyProblems
      + [callbackProblem].compactMap(\.self)
  }

  private var appProblem: InputProblem? {
    let isName =
      !app.isEmpty && app.utf8.count <= Self.appLengthLimit
      && app.utf8.allSatisfy { byte in
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80
          || (0x30...0x39).contains(byte) || "._-".utf8.contains(byte)
      }
    if isName { return nil }
    return InputProblem("/app", "expected a bundle ID or package name like com.example.app")
  }

  private var fcmTokenProblem: InputProblem? {
    guard let fcmToken, TokenShape.kind(of: fcmToken.utf8) != .fcm else { return nil }
    if TokenShape.isAPNs(fcmToken.utf8) {
      return InputProblem("/tokens/fcm", "this is an APNs device token; it belongs in /tokens/apns")
    }
    return InputProblem("/tokens/fcm", "expected an FCM registration token like <id>:APA91b...")
  }

  private var platformProblems: [InputProblem] {
    guard platform != .ios else { return [] }
    var problems: [InputProblem] = []
    if environment != nil {
      problems.append(
        InputProblem("/environment", "a device of platform \(platform) has no APNs environment"))
    }
    if hasFirebase {
      problems.append(
        InputProblem("/firebase", "is for ios; a device of platform \(platform) always has FCM"))
    }
    return problems
  }

  private var emptyProblems: [InputProblem] {
    [("/name", name), ("/project", project), ("/contract", contract)].compactMap { pointer, value in
      value?.isEmpty == true ? InputProblem(pointer, "must not be empty") : nil
    }
  }
}
