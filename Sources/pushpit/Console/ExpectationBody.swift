internal import PushpitJSON

/// The body of `POST /expect`, from flags.
enum ExpectationBody {
  /// The flags.
  static let options = [
    OptionSpecification(
      "--match", "FIELD=VALUE", repeatable: true, "what must be so; repeatable, all must hold"),
    OptionSpecification(
      "--count", "N", "how many: 2, 0, at-least:2 or at-most:1 (default at-least:1)"),
    OptionSpecification("--within", "DURATION", "how long to wait, at most 60s (default 5s)"),
    OptionSpecification(
      "--of", "KIND",
      choices: ["envelopes", "deliveries", "connections", "findings", "providerTokens"],
      "of what: envelopes (the default), deliveries, connections, findings, providerTokens"),
    OptionSpecification("--strict", nil, "fail on anything accepted that does not match, too"),
    OptionSpecification(
      "--since", "TIME|ID", "only what came since then, or after this envelope"),
  ]

  /// Reads the flags; what was not given is left to the console.
  static func read(_ arguments: ParsedArguments) throws(UsageError) -> JSONValue {
    var match = JSONObject()
    for text in arguments.list("--match") {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw UsageError(
          "\(arguments.label("--match")) takes FIELD=VALUE such as token=abc, not '\(text)'")
      }
      let field = String(text[..<sign])
      guard match[field] == nil else {
        throw UsageError("--match has the field \(field) twice; use a condition with oneOf or not")
      }
      match[field] = condition(String(text[text.index(after: sign)...]))
    }
    var body = JSONObject(["match": .object(match)])
    body["count"] = try count(arguments)
    body["within"] = arguments.text("--within").map { .string($0) }
    body["of"] = arguments.text("--of").map { .string($0) }
    if arguments.flag("--strict") { body["strict"] = true }
    body["since"] = arguments.text("--since").map { .string($0) }
    return .object(body)
  }

  /// The condition of a value: JSON where it is JSON, else text.
  ///
  /// Nobody wants to know whether a sender wrote a number as one, so a number is either.
  static func condition(_ text: String) -> JSONValue {
    guard let value = try? JSONReader.parse(text.utf8) else { return .string(text) }
    return switch value {
    case .number, .bool: ["oneOf": [value, .string(text)]]
    case .null, .string, .array, .object: value
    }
  }

  private static func count(_ arguments: ParsedArguments) throws(UsageError) -> JSONValue? {
    guard let text = arguments.text("--count") else { return nil }
    if let number = number(text[...]) { return number }
    for (beginning, key) in [("at-least:", "atLeast"), ("at-most:", "atMost")]
    where text.hasPrefix(beginning) {
      if let number = number(text.dropFirst(beginning.count)) {
        return .object(JSONObject([key: number]))
      }
    }
    throw UsageError(
      "\(arguments.label("--count")) takes a number, at-least:N or at-most:N, not '\(text)'")
  }

  private static func number(_ text: Substring) -> JSONValue? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text).map { .int($0) }
  }
}
