internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// What is left out of records, so that a record is not a credential.
///
/// Values of credential fields keep their scheme; secrets in query strings and in the bodies of
/// authorization requests become `(cut)`. The record's `CredentialFacts` keep what explains them.
enum CredentialCut {
  /// What stands where a secret was.
  static let placeholder = "(cut)"

  /// Whether a header field's name is as long as one whose value is a credential.
  static func hasCredentialLength(_ nameCount: Int32) -> Bool {
    nameCount == 13 || nameCount == 14 || nameCount == 19
  }

  /// Whether the value of this header field is a credential; names compare without case.
  static func isCredential(fieldNamed name: Slice<UnsafeRawBufferPointer>) -> Bool {
    switch name.count {
    case 13: equals(name, "authorization")
    case 14: equals(name, "x-goog-api-key")
    case 19: equals(name, "proxy-authorization")
    default: false
    }
  }

  /// How many bytes of a credential's value are its scheme; zero when it begins with none we know.
  ///
  /// Only a known word is kept: any other could itself be the secret.
  static func schemeCount(_ value: Slice<UnsafeRawBufferPointer>) -> Int {
    // The first byte alone rules it out for nearly every push.
    if value.count > 4, value.first == UInt8(ascii: "k"), value.starts(with: "key=".utf8) {
      return 4
    }
    guard let end = value.prefix(8).firstIndex(of: UInt8(ascii: " ")) else { return 0 }
    let word = value[..<end]
    let isKnown =
      switch word.count {
      case 5: equals(word, "basic") || equals(word, "vapid") || equals(word, "token")
      case 6: equals(word, "bearer") || equals(word, "digest")
      default: false
      }
    return isKnown ? word.count : 0
  }

  /// The target with the secrets of its query cut; nil when there are none.
  static func target(_ target: [UInt8], service: PushService) -> [UInt8]? {
    guard hasQuery(target), let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return form(target[(mark + 1)...], secrets: secrets(service).union(["key"]))
      .map { target[...mark] + $0 }
  }

  /// Looks at 16 bytes at a time: most targets have no query, and every request is asked.
  private static func hasQuery(_ target: [UInt8]) -> Bool {
    target.withUnsafeBytes { bytes in
      let mark = SIMD16<UInt8>(repeating: UInt8(ascii: "?"))
      var index = 0
      while index + 16 <= bytes.count {
        let chunk = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        if any(chunk .== mark) { return true }
        index += 16
      }
      guard bytes.count >= 16 else { return bytes.contains(UInt8(ascii: "?")) }
      let last = bytes.loadUnaligned(
        fromByteOffset: bytes.count - 16, as: SIMD16<UInt8>.self)
      return any(last .== mark)
    }
  }

  /// The body with its secrets cut; nil when there are none.
  ///
  /// JSON for Apple's and Google's push endpoints carries none and is not looked at.
  static func body(_ body: [UInt8], head: RequestHead, service: PushService) -> [UInt8]? {
    guard let first = body.first(where: { $0 > 0x20 }) else { return nil }
    let isPush = service == .apns || service == .fcm
    let isJSON = first == UInt8(ascii: "{")
    if isPush, isJSON { return nil }
    let isMultipart = contentType(head, startsWith: "multipart/")
    let isForm = contentType(head, startsWith: "application/x-www-form-urlencoded")
    if isForm, !isPush, let kept = form(body[...], secrets: secrets(service)) { return kept }
    if isJSON, let value = try? JSONReader.parse(body) {
      let kept = cut(value, secrets: service == .oauth ? secrets(service) : common)
      return kept == value ? nil : kept.serialized()
    }
    if !isJSON, !isMultipart, let kept = form(body[...], secrets: secrets(service)) { return kept }
    // What cannot be read and names a secret is not kept at all.
    return names(["assertion", "secret", "token=", "_token", "authorization"], in: body)
      ? Array(placeholder.utf8) : nil
  }

  /// Whether values of this name are cut from the targets and bodies of a service.
  static func isSecret(_ name: ArraySlice<UInt8>, service: PushService) -> Bool {
    let name = folded(PercentCoding.decode(name, plusIsSpace: true))
    return name == "key" || secrets(service).contains(name)
  }

  /// Whether nothing was cut from such a body, whatever it names: JSON of a push.
  static func isKeptWhole(_ body: [UInt8], service: PushService) -> Bool {
    (service == .apns || service == .fcm) && body.first { $0 > 0x20 } == UInt8(ascii: "{")
  }

  /// Names of secrets as `folded` makes them.
  private static func secrets(_ service: PushService) -> Set<String> {
    switch service {
    case .oauth, .unknown: common.union(["token", "code"])
    case .apns, .fcm, .iid: common
    }
  }

  private static let common: Set<String> = [
    "accesstoken", "oauthtoken", "assertion", "clientassertion", "clientsecret", "refreshtoken",
    "idtoken", "subjecttoken", "actortoken",
  ]

  /// A name in lower case without blanks, `_` and `-`: `Refresh_Token` and `refreshToken` are one.
  private static func folded(_ name: some Sequence<UInt8>) -> String {
    let kept = name.filter { $0 > 0x20 && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return String(decoding: kept.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// A query or form with the values of secret names cut; nil when there are none.
  private static func form(_ text: ArraySlice<UInt8>, secrets: Set<String>) -> [UInt8]? {
    var found = false
    let ends = [UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    let pairs = text.split(omittingEmptySubsequences: false) { ends.contains($0) }.map {
      pair -> ArraySlice<UInt8> in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals + 1 < pair.endIndex else {
        return pair
      }
      let name = PercentCoding.decode(pair[..<equals], plusIsSpace: true)
      guard secrets.contains(folded(name)) else { return pair }
      found = true
      return pair[...equals] + Array(placeholder.utf8)
    }
    return found ? Array(pairs.joined(separator: [UInt8(ascii: "&")])) : nil
  }

  private static func cut(_ value: JSONValue, secrets: Set<String>) -> JSONValue {
    switch value {
    case .object(var object):
      for index in object.members.indices {
        let member = object.members[index]
        object.members[index].value =
          secrets.contains(folded(member.key.utf8))
          ? .string(placeholder) : cut(member.value, secrets: secrets)
      }
      return .object(object)
    case .array(let values): return .array(values.map { cut($0, secrets: secrets) })
    case .null, .bool, .number, .string: return value
    }
  }

  private static func names(_ secrets: Set<String>, in body: [UInt8]) -> Bool {
    body.withUnsafeBytes { bytes in
      secrets.contains { TextSearch(word: $0).isFound(in: bytes) }
    }
  }

  private static func contentType(_ head: RequestHead, startsWith type: StaticString) -> Bool {
    guard let value = head.fields.value("content-type") else { return false }
    return value.count >= type.utf8CodeUnitCount
      && value.withUnsafeBytes { equals($0[0..<type.utf8CodeUnitCount], type) }
  }

  /// Compares without case with a lower-case literal of the same length.
  private static func equals(
    _ bytes: Slice<UnsafeRawBufferPointer>, _ literal: StaticString
  ) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    // In HTTP/2 every name is in lower case: the first and the last eight bytes are all.
    let end = bytes.count - 8
    if 0...8 ~= end {
      let literal = UnsafeRawPointer(literal.utf8Start)
      let first = literal.loadUnaligned(as: UInt64.self)
      let last = literal.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      if bytes.loadUnaligned(as: UInt64.self) == first,
        bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self) == last
      {
        return true
      }
    }
    for index in 0..<literal.utf8CodeUnitCount {
      var byte = bytes[index]
      if byte &- 0x41 < 26 { byte |= 0x20 }
      guard byte == literal.utf8Start[index] else { return false }
    }
    return true
  }
}
