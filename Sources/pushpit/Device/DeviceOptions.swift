internal import PushpitJSON
internal import PushpitModel

/// What the command line of `pushpit device` asks for.
struct DeviceOptions: Sendable {
  /// At most this many devices are on one connection of the console.
  static let countLimit = 1000

  /// How many devices to be.
  let count: Int
  /// After how many pushes to end.
  let pushLimit: Int?
  /// Whether to print JSON.
  let isJSON: Bool
  /// Whether the devices stay when the command ends.
  let isKept: Bool
  private let name: String?
  /// What all devices have in common.
  private let common: JSONObject

  /// Reads the command's flags.
  /// - Throws: `UsageError` for values that no device can have.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    count = try arguments.integer("--count", in: 1...Self.countLimit) ?? 1
    pushLimit = try arguments.integer("--exit-after", in: 1...Int.max)
    isJSON = arguments.flag("--json")
    isKept = arguments.flag("--keep")
    name = arguments.text("--name")
    common = try Self.common(arguments)
    if count > 1, arguments.text("--token") != nil {
      throw UsageError(
        "\(arguments.label("--token")) is one device's; leave it out with --count, and tokens are "
          + "minted")
    }
  }

  /// The body by which a device is made; the first has the index 0.
  func specification(_ index: Int) -> JSONValue {
    var object = common
    if let name { object["name"] = .string(count > 1 ? "\(name) \(index + 1)" : name) }
    return .object(object)
  }

  private static func common(_ arguments: ParsedArguments) throws(UsageError) -> JSONObject {
    let platform = arguments.text("--platform") ?? "ios"
    if platform != "ios" {
      for flag in ["--environment", "--firebase", "--token-kind"] where arguments.text(flag) != nil
      {
        throw UsageError("\(arguments.label(flag)) is for --platform ios, not for \(platform)")
      }
    }
    var object = JSONObject()
    object["platform"] = .string(platform)
    for flag in ["app", "environment", "contract"] {
      if let text = arguments.text("--\(flag)") { object[flag] = .string(text) }
    }
    if let text = arguments.text("--token-delay") {
      guard DurationText.parse(text) != nil else {
        throw UsageError(
          "\(arguments.label("--token-delay")) takes a duration such as \(DurationText.examples), "
            + "not '\(text)'")
      }
      object["tokenDelay"] = .string(text)
    }
    if arguments.flag("--firebase") { object["firebase"] = true }
    let tokens = tokens(arguments, platform)
    if !tokens.members.isEmpty { object["tokens"] = .object(tokens) }
    return object
  }

  private static func tokens(_ arguments: ParsedArguments, _ platform: String) -> JSONObject {
    var tokens = JSONObject()
    if let token = arguments.text("--token") {
      tokens[platform == "ios" ? "apns" : "fcm"] = .string(token)
    }
    for kind in (arguments.text("--token-kind") ?? "").split(separator: ",") {
      tokens[String(kind)] = true
    }
    return tokens
  }
}
