package import PushpitJSON
internal import PushpitModel

extension ConfiguredContract {
  /// The longest name or key, in bytes.
  static let nameLimit = 100
  /// At most this many kinds, and keys of one kind.
  static let listLimit = 100

  private static let members: Set<String> = [
    "name", "rootKey", "forms", "kinds", "type", "required", "optional", "allowsOthers",
    "messageID",
    "conversation", "deepLink", "beacon",
  ]

  /// Reads the configured form.
  /// - Throws: `DeviceError.invalid` with everything that is wrong with it, at pointers below this one.
  package init(json: JSONValue, at pointer: String = "") throws(DeviceError) {
    var reader = InputReader(json, at: pointer, members: Self.members)
    name = Self.name("name", &reader) ?? ""
    if name.isEmpty { reader.report("name", "expected the contract's name") }
    rootKey = Self.name("rootKey", &reader) ?? name
    // JSON may write these with a backslash, and payloads are searched for the key as it is.
    if rootKey.utf8.contains(where: { $0 < 0x20 || "\"\\/".utf8.contains($0) }) {
      reader.report("rootKey", "cannot have quotes, slashes, backslashes or control characters")
    }
    forms = Self.forms(&reader, at: pointer)
    messageIDKey = Self.name("messageID", &reader)
    conversationKey = Self.name("conversation", &reader)
    beaconKey = Self.name("beacon", &reader)
    linkKey = nil
    kinds = []
    if let value = reader.value("deepLink") {
      var inner = InputReader(
        value, at: pointer + "/deepLink", members: ["key", "pattern"])
      linkKey = Self.name("key", &inner)
      if linkKey == nil { inner.report("key", "expected the key of the link") }
      if let text = inner.string("pattern") {
        link = LinkPattern(text)
        if link == nil {
          inner.report(
            "pattern",
            "expected a link with {key}, * and ?, at most \(LinkPattern.limit) bytes of it")
        }
      }
      reader.report(inner.problems)
    }
    if let value = reader.value("kinds") {
      if let items = value.arrayValue, items.count <= Self.listLimit {
        for (index, item) in items.enumerated() {
          var inner = InputReader(
            item, at: "\(pointer)/kinds/\(index)", members: Self.kindMembers)
          kinds.append(Self.kind(&inner, hasLink: linkKey != nil, isNamed: true))
          reader.report(inner.problems)
        }
      } else {
        reader.report("kinds", "expected an array of at most \(Self.listLimit) kinds")
      }
    }
    kinds.append(Self.kind(&reader, hasLink: linkKey != nil, isNamed: false))
    guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
  }

  private static let kindMembers: Set<String> = [
    "name", "markedBy", "type", "required", "optional", "allowsOthers", "checksLink",
  ]

  /// A kind that stands in `kinds` has a name and a mark; the contract itself says what all others have.
  private static func kind(
    _ reader: inout InputReader, hasLink: Bool, isNamed: Bool
  ) -> Kind {
    let markedBy = isNamed ? name("markedBy", &reader) : nil
    if isNamed, markedBy == nil {
      reader.report("markedBy", "expected the key that marks the kind")
    }
    return Kind(
      name: isNamed ? name("name", &reader) ?? "payload" : "message", markedBy: markedBy,
      type: reader.string("type"), required: names("required", &reader),
      optional: names("optional", &reader), allowsOthers: reader.bool("allowsOthers") ?? true,
      checksLink: isNamed ? reader.bool("checksLink") ?? false : hasLink)
  }

  private static func forms(
    _ reader: inout InputReader, at pointer: String
  ) -> [Platform: Form] {
    // What FCM carries as data are strings.
    var forms: [Platform: Form] = [.ios: .object, .android: .string, .web: .string]
    guard let value = reader.value("forms") else { return forms }
    var inner = InputReader(
      value, at: pointer + "/forms", members: Set(Platform.allCases.map(\.rawValue)))
    for platform in Platform.allCases {
      if let form: Form = inner.choice(platform.rawValue) { forms[platform] = form }
    }
    reader.report(inner.problems)
    return forms
  }

  private static func name(_ key: String, _ reader: inout InputReader) -> String? {
    guard let text = reader.string(key) else { return nil }
    guard !text.isEmpty, text.utf8.count <= nameLimit else {
      reader.report(key, "expected 1 to \(nameLimit) bytes")
      return nil
    }
    return text
  }

  private static func names(_ key: String, _ reader: inout InputReader) -> [String] {
    guard let value = reader.value(key) else { return [] }
    let names = value.arrayValue.map { $0.compactMap(\.stringValue) } ?? []
    guard names.count == value.arrayValue?.count, names.count <= listLimit,
      names.allSatisfy({ !$0.isEmpty && $0.utf8.count <= nameLimit })
    else {
      reader.report(key, "expected an array of at most \(listLimit) keys")
      return []
    }
    return names
  }
}

// MARK: - Writing

extension ConfiguredContract {
  package var json: JSONValue {
    var object = JSONObject()
    object["name"] = .string(name)
    object["rootKey"] = .string(rootKey)
    var forms = JSONObject()
    for platform in Platform.allCases {
      if let form = self.forms[platform] { forms[platform.rawValue] = .string(form.rawValue) }
    }
    object["forms"] = .object(forms)
    if kinds.count > 1 {
      object["kinds"] = .array(kinds.dropLast().map { .object(Self.members(of: $0)) })
    }
    for member in kinds.last.map(Self.members(of:))?.members ?? []
    where member.key != "name" && member.key != "checksLink" {
      object[member.key] = member.value
    }
    for (key, value) in [
      ("messageID", messageIDKey), ("conversation", conversationKey), ("beacon", beaconKey),
    ] {
      if let value { object[key] = .string(value) }
    }
    if let linkKey {
      var value = JSONObject()
      value["key"] = .string(linkKey)
      if let link { value["pattern"] = .string(link.text) }
      object["deepLink"] = .object(value)
    }
    return .object(object)
  }

  private static func members(of kind: Kind) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(kind.name)
    if let key = kind.markedBy { object["markedBy"] = .string(key) }
    if let type = kind.type { object["type"] = .string(type) }
    object["required"] = .array(kind.required.map { .string($0) })
    if !kind.optional.isEmpty { object["optional"] = .array(kind.optional.map { .string($0) }) }
    object["allowsOthers"] = .bool(kind.allowsOthers)
    object["checksLink"] = .bool(kind.checksLink)
    return object
  }
}
