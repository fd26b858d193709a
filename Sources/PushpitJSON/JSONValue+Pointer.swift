extension JSONValue {
  /// The value that a JSON Pointer (RFC 6901) names; nil when there is none or it is no pointer.
  ///
  /// The empty pointer names the whole value, `/a/0` the first element of member `a`.
  package func pointer(_ pointer: String) -> JSONValue? {
    if pointer.isEmpty { return self }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    var value = self
    for token in pointer.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let key = Self.unescaped(token), let next = value.child(key) else { return nil }
      value = next
    }
    return value
  }

  private func child(_ token: String) -> JSONValue? {
    switch self {
    case .object(let object): object[token]
    case .array(let elements):
      Self.index(token).flatMap { $0 < elements.count ? elements[$0] : nil }
    case .null, .bool, .number, .string: nil
    }
  }

  /// An array index: digits without a leading zero (RFC 6901 section 4).
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      token == "0" || token.utf8.first != 0x30
    else { return nil }
    return Int(token)
  }

  /// `~1` stands for `/` and `~0` for `~`; nil when a tilde stands alone.
  private static func unescaped(_ token: Substring.UTF8View.SubSequence) -> String? {
    guard token.contains(UInt8(ascii: "~")) else { return String(Substring(token)) }
    var bytes: [UInt8] = []
    var isAfterTilde = false
    for byte in token {
      if isAfterTilde {
        guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
        bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
        isAfterTilde = false
      } else if byte == UInt8(ascii: "~") {
        isAfterTilde = true
      } else {
        bytes.append(byte)
      }
    }
    return isAfterTilde ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The pointer to a member of the object that a pointer names, the name escaped as RFC 6901 section 3
  /// has it.
  package static func pointer(_ parent: String, to key: String) -> String {
    var pointer = parent + "/"
    for character in key.unicodeScalars {
      switch character {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(character)
      }
    }
    return pointer
  }
}
