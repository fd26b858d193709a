internal import PushpitConsole
internal import PushpitJSON
internal import PushpitModel

/// The body that adds a credential, as far as it can be looked at without reading keys.
enum CredentialBody {
  /// What a member has to be.
  private enum Form {
    case text, pem, identifier, appleID, optionalText, optionalFlag, optionalTexts, environments
    /// What an export of a credential repeats for people, and nobody reads.
    case ignored

    func fits(_ value: JSONValue) -> Bool {
      let texts = value.arrayValue.map { items in items.allSatisfy { $0.stringValue != nil } }
      return switch self {
      case .text, .pem: value.stringValue?.isEmpty == false
      case .identifier: value.stringValue.map(CredentialFile.isPrivateKeyID) == true
      case .appleID: value.stringValue.map(CredentialFile.isAppleID) == true
      case .optionalText: value == .null || value.stringValue != nil
      case .optionalFlag: value == .null || value.boolValue != nil
      case .optionalTexts: value == .null || texts == true
      case .environments: value == .null || Self.areEnvironments(value)
      case .ignored: true
      }
    }

    private static func areEnvironments(_ value: JSONValue) -> Bool {
      guard let items = value.arrayValue, !items.isEmpty else { return false }
      return items.allSatisfy { $0.stringValue.flatMap(APNsEnvironment.init) != nil }
    }

    var expected: String {
      switch self {
      case .text: "a text"
      case .pem: "a text in PEM"
      case .identifier: "letters and digits"
      case .appleID: "ten capital letters and digits"
      case .optionalText: "a text, or null"
      case .optionalFlag: "true or false"
      case .optionalTexts: "an array of texts, or null for all"
      case .environments: "an array of sandbox and production, or null for both"
      case .ignored: "anything"
      }
    }

    var isRequired: Bool {
      switch self {
      case .text, .pem, .identifier, .appleID: true
      case .optionalText, .optionalFlag, .optionalTexts, .environments, .ignored: false
      }
    }
  }

  private static let kinds: [(name: String, members: [(name: String, form: Form)])] = [
    (
      "apnsKey",
      [
        ("keyID", .appleID), ("teamID", .appleID), ("publicKey", .pem),
        ("environments", .environments), ("topics", .optionalTexts),
        ("relatedKeyID", .optionalText), ("workspace", .ignored),
      ]
    ),
    (
      "serviceAccount",
      [
        ("projectID", .text), ("projectNumber", .text), ("clientEmail", .text),
        ("privateKeyID", .identifier), ("publicKey", .pem), ("mayPush", .optionalFlag),
        ("workspace", .ignored),
      ]
    ),
    (
      "certificate",
      [
        ("certificate", .pem), ("workspace", .ignored), ("subject", .ignored),
        ("userID", .ignored), ("topics", .ignored), ("environments", .ignored),
        ("notAfter", .ignored), ("sha256", .ignored),
      ]
    ),
    (MadeCredential.Kind.authorizedUser.rawValue, []),
    (MadeCredential.Kind.externalAccount.rawValue, []),
  ]

  /// The members of a body, when each is known and has its form.
  static func members(_ body: JSONValue) throws(ConsoleProblem) -> JSONObject {
    guard let object = body.objectValue else {
      throw .invalid([.init(.body(pointer: ""), "The body must be an object.")])
    }
    guard let kind = kinds.first(where: { .string($0.name) == object["kind"] }) else {
      let known = kinds.map(\.name).joined(separator: ", ")
      throw .invalid([.init(.body(pointer: "/kind"), "Expected one of \(known).")])
    }
    let missing = kind.members.filter { $0.form.isRequired && object[$0.name] == nil }
    var faults = missing.map { member in
      ConsoleProblem.Fault(
        .body(pointer: "/" + member.name),
        "The member is missing: \(member.form.expected).")
    }
    for (name, value) in object.members where name != "kind" {
      guard faults.count < ConsoleProblem.namedFaultLimit else { break }
      let form = kind.members.first { $0.name == name }?.form
      if form?.fits(value) == true { continue }
      let known = (["kind"] + kind.members.map(\.name)).joined(separator: ", ")
      faults.append(
        .init(
          .body(pointer: JSONValue.pointer("", to: name)),
          form.map { "Expected \($0.expected)." } ?? "Unknown member; known here: \(known)."))
    }
    guard faults.isEmpty else { throw .invalid(faults) }
    return object
  }

  /// Where the key of a credential is in its body.
  static func keyPointer(_ object: JSONObject) -> String {
    object["kind"] == "certificate" ? "/certificate" : "/publicKey"
  }
}
