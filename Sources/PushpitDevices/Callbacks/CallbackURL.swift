internal import PushpitHTTPTypes

/// Where a callback goes: `http` or `https`, a host that is written out, and a path that may have
/// placeholders.
struct CallbackURL: Sendable, Equatable {
  /// The longest URL, as it is written.
  static let lengthLimit = 2048
  /// The longest host name (RFC 1035 section 2.3.4, as text).
  static let hostLengthLimit = 253

  /// As it was written.
  let source: String
  let isSecure: Bool
  /// A name or an address, IPv6 without brackets, in lower case.
  let host: String
  let port: Int
  private let target: CallbackText

  /// - Throws: what cannot be, in words for whoever wrote it.
  init(_ source: String) throws(CallbackFault) {
    guard source.utf8.count <= Self.lengthLimit else {
      throw CallbackFault("has more than \(Self.lengthLimit) bytes")
    }
    self.source = source
    guard let colon = source.firstIndex(of: ":"), source[colon...].hasPrefix("://") else {
      throw Self.shape
    }
    switch source[..<colon].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: throw Self.shape
    }
    let rest = source[colon...].dropFirst(3)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains("{") else {
      throw CallbackFault("the host cannot have placeholders: it must be known beforehand")
    }
    guard !authority.contains("@") else {
      throw CallbackFault("a name and password in the URL are not sent; use headers")
    }
    (host, port) = try Self.place(authority, default: isSecure ? 443 : 80)
    let path = rest[end...]
    target = try CallbackText(path.hasPrefix("/") ? String(path) : "/" + path)
    // RFC 3986 section 2: all else is percent-encoded; a fragment is never sent.
    for literal in target.literals where !literal.utf8.allSatisfy(Self.isAllowed) {
      throw CallbackFault(
        "has a character that must be percent-encoded, a brace without a placeholder or a fragment")
    }
  }

  private static let shape = CallbackFault("expected a URL like http://127.0.0.1:8080/tokens")

  /// `host`, `host:port` or `[IPv6]:port`.
  private static func place(
    _ authority: Substring, default defaultPort: Int
  ) throws(CallbackFault) -> (String, Int) {
    var host = authority
    var port = defaultPort
    if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { throw CallbackFault("the port is not a number from 1 to 65535") }
      host = authority[..<colon]
      port = number
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      // No zone: it would name an interface of this machine.
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || ":.".contains($0) }) else {
        throw CallbackFault("the host is no IPv6 address")
      }
    } else {
      guard !host.isEmpty, host.utf8.count <= hostLengthLimit, host.utf8.allSatisfy(isHostCharacter)
      else { throw CallbackFault("the host is neither a name nor an address") }
    }
    return (host.lowercased(), port)
  }

  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._".utf8.contains(byte)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Host and, unless it is the scheme's own, port, as the Host field has them.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
  }

  /// Path and query with values, percent-encoded.
  func target(_ values: CallbackValues) -> String {
    target.text(values) { PercentCoding.encode($0) }
  }
}
