/// A header of a callback, its name in lower case as HTTP/2 wants it.
struct CallbackHeader: Sendable, Equatable {
  static let countLimit = 20
  static let nameLimit = 100
  static let valueLimit = 4096
  /// What the connection's own rules decide (RFC 9110 sections 7.6.1 and 8.6).
  static let reserved: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  let name: String
  let value: CallbackText

  /// - Throws: what cannot be, in words for whoever wrote it.
  init(_ name: String, _ value: String) throws(CallbackFault) {
    guard !name.isEmpty, name.utf8.count <= Self.nameLimit, name.utf8.allSatisfy(Self.isToken)
    else {
      throw CallbackFault("expected a header's name of at most \(Self.nameLimit) characters")
    }
    self.name = name.lowercased()
    guard !Self.reserved.contains(self.name) else {
      throw CallbackFault("the header \(self.name) is the connection's own")
    }
    guard value.utf8.count <= Self.valueLimit else {
      throw CallbackFault("has more than \(Self.valueLimit) bytes")
    }
    self.value = try CallbackText(value)
    _ = try Self.checked(value, self.name)
  }

  /// The value of one callback.
  /// - Throws: when a value would break the header.
  func text(_ values: CallbackValues) throws(CallbackFault) -> String {
    try Self.checked(value.text(values), name)
  }

  /// A line break would begin another header (RFC 9110 section 5.5).
  private static func checked(_ value: String, _ name: String) throws(CallbackFault) -> String {
    let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    guard isClean else {
      throw CallbackFault("the header \(name) would have a line break or control character")
    }
    return value
  }

  /// RFC 9110 section 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
