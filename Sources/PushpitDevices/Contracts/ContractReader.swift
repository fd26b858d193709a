internal import PushpitJSON
internal import PushpitModel

/// Reads one payload by a contract, and collects what breaks it.
struct ContractReader {
  /// The codes of breaches.
  private enum Code: String {
    case wrongForm = "contract-wrong-form"
    case notJSON = "contract-not-json"
    case valueNotString = "contract-value-not-string"
    case keyMissing = "contract-key-missing"
    case keyUnknown = "contract-key-unknown"
    case alertInside = "contract-alert-inside"
    case wrongType = "contract-wrong-type"
    case wrongLink = "contract-wrong-deep-link"
    case noAlert = "contract-no-alert"
  }

  /// The most characters of a value that a warning repeats.
  private static let foundLimit = 80
  /// At most this many breaches of one payload are told.
  static let breachLimit = 50
  private static let alertKeys: Set<String> = ["title", "body", "alert", "notification"]

  let contract: ConfiguredContract
  let settings: ContractSettings
  /// Where the root key's value lies in the recorded payload.
  let pointer: String
  private var reading = ContractReading()
  /// Whether the content is an object of the recorded payload, so that pointers can go into it.
  private var isPointable = true

  init(contract: ConfiguredContract, settings: ContractSettings, pointer: String) {
    self.contract = contract
    self.settings = settings
    self.pointer = pointer
  }

  /// Reads what is under the root key.
  mutating func read(_ root: JSONValue, _ payload: ClientPayload) -> ContractReading {
    if payload.hasAlert == false {
      warn(
        .noAlert, nil, expected: "title and body by the transport", found: "neither",
        "The SDK takes title and body from the notification, and there is none to show")
    }
    if let content = content(of: root, on: payload.platform) { read(content) }
    return reading
  }

  /// The object under the root key, in the form that the platform's SDK reads.
  private mutating func content(of root: JSONValue, on platform: Platform) -> JSONObject? {
    let form = contract.forms[platform] ?? .object
    switch (form, root) {
    case (.object, .object(let content)):
      return content
    case (.string, .string(let text)):
      isPointable = false
      if let content = (try? JSONReader.parse(text.utf8))?.objectValue { return content }
      warn(
        .notJSON, nil, expected: "an object as JSON", found: text,
        "The string under \(contract.rootKey) is no object in JSON, so the SDK cannot read it")
      return nil
    case (.object, _), (.string, _):
      let wanted = form == .object ? "an object" : "an object as a JSON string"
      warn(
        .wrongForm, nil, expected: wanted, found: Self.kind(of: root),
        "On \(platform) \(contract.rootKey) has to be \(wanted); the SDK cannot read this")
      return nil
    }
  }

  private mutating func read(_ content: JSONObject) {
    checkValues(content)
    let kind = contract.kinds.first { $0.markedBy.map { content[$0] != nil } ?? true }
    guard let kind else { return }
    checkType(of: content, kind)
    for key in kind.required where text(key, of: content)?.isEmpty ?? true {
      // A value of another type has a warning of its own.
      guard content[key] == nil || content[key] == "" else { continue }
      warn(
        .keyMissing, nil, expected: key,
        found: content[key] == nil ? "no \(key)" : "an empty \(key)",
        "A \(kind.name) of \(contract.name) must have \(key)")
    }
    if !kind.allowsOthers { checkKeys(of: content, kind) }
    reading.messageID = contract.messageIDKey.flatMap { text($0, of: content) }
    reading.conversation = contract.conversationKey.flatMap { text($0, of: content) }
    reading.deliveryID = contract.beaconKey.flatMap { text($0, of: content) }
    readLink(content, kind)
  }

  private mutating func checkValues(_ content: JSONObject) {
    for (key, value) in content.members {
      if Self.alertKeys.contains(key) {
        warn(
          .alertInside, key, expected: "title and body by the transport", found: key,
          "\(key) stands in \(contract.rootKey), where nothing reads it; the notification has title and "
            + "body")
      } else if value.stringValue == nil {
        warn(
          .valueNotString, key, expected: "a string", found: Self.kind(of: value),
          "Every value in \(contract.rootKey) is a flat string, and \(key) is none")
      }
    }
  }

  private mutating func checkType(of content: JSONObject, _ kind: ConfiguredContract.Kind) {
    guard let wanted = kind.type ?? (contract.isCampaign(kind) ? settings.campaignType : nil)
    else { return }
    guard let type = content["type"] else {
      return warn(
        .keyMissing, nil, expected: "type \(wanted)", found: "no type",
        "A \(kind.name) of \(contract.name) has the type \(wanted)")
    }
    guard let text = type.stringValue, text != wanted else { return }
    warn(
      .wrongType, "type", expected: wanted, found: text,
      "A \(kind.name) of \(contract.name) has the type \(wanted)")
  }

  private mutating func checkKeys(of content: JSONObject, _ kind: ConfiguredContract.Kind) {
    let known = Set(kind.required + kind.optional).union(["type"]).union(Self.alertKeys)
    for (key, _) in content.members where !known.contains(key) {
      warn(
        .keyUnknown, key,
        expected: "one of \(known.subtracting(Self.alertKeys).sorted().joined(separator: ", "))",
        found: key, "A \(kind.name) of \(contract.name) has no \(key)")
    }
  }

  private mutating func readLink(_ content: JSONObject, _ kind: ConfiguredContract.Kind) {
    guard let key = contract.linkKey, let link = text(key, of: content), !link.isEmpty else {
      return
    }
    reading.deepLink = link
    let pattern = contract.link
    let value: (String) -> String? = { content[$0]?.stringValue }
    reading.opensConversation =
      pattern?.onlyReference(in: link)
      ?? (pattern?.matches(link, value) == true ? reading.conversation : nil)
    guard kind.checksLink, let pattern, pattern.references.allSatisfy({ value($0) != nil }),
      !pattern.matches(link, value)
    else { return }
    warn(
      .wrongLink, key, expected: pattern.example(value), found: link,
      "The link of a \(kind.name) opens its own conversation, and this one does not")
  }

  private func text(_ key: String, of content: JSONObject) -> String? {
    content[key]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
  }

  private mutating func warn(
    _ code: Code, _ key: String?, expected: String, found: String, _ text: String
  ) {
    guard reading.breaches.count < Self.breachLimit else { return }
    let inside = key.flatMap { $0.utf8.count <= Self.foundLimit && isPointable ? $0 : nil }
    let place = inside.map { JSONValue.pointer(pointer, to: $0) } ?? pointer
    reading.breaches.append(
      PayloadWarning(
        code: code.rawValue, pointer: place, expected: Self.cut(expected, 300),
        found: Self.cut(found),
        text: Self.cut(text, 300) + "."))
  }

  private static func cut(_ text: String, _ limit: Int = foundLimit) -> String {
    text.count > limit ? text.prefix(limit) + "..." : text
  }

  /// What a value is, for people.
  private static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "the boolean \(flag)"
    case .number(let number): "the number \(number.text)"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
