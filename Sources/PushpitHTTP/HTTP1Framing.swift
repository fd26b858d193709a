import PushpitHTTPTypes

/// What the head of one HTTP/1.1 request says about its body and its connection.
///
/// Each method returns the status to refuse the request with, or nil when it is in order.
struct HTTP1Framing {
  private(set) var isVersion10 = false
  private(set) var contentLength: Int64?
  private(set) var isChunked = false
  private(set) var expectsContinue = false
  private var hasHost = false
  private var saysClose = false
  private var saysKeepAlive = false

  /// Whether the connection may be used again (RFC 9112 section 9.3).
  var keepsAlive: Bool { !saysClose && (!isVersion10 || saysKeepAlive) }

  /// Reads `method SP target SP version`.
  mutating func receiveRequestLine(
    _ line: UnsafeBufferPointer<UInt8>, into head: inout RequestHead
  ) -> Int? {
    let space = UInt8(ascii: " ")
    guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space),
      first < last
    else { return 400 }
    let method = UnsafeBufferPointer(rebasing: line[..<first])
    let target = UnsafeBufferPointer(rebasing: line[(first + 1)..<last])
    guard FieldRules.isToken(method), isTarget(target) else { return 400 }
    if let status = receiveVersion(UnsafeBufferPointer(rebasing: line[(last + 1)...])) {
      return status
    }
    head.method.append(copying: method)
    return receiveTarget(target, into: &head) ? nil : 400
  }

  /// Reads one field line and what it says about the message.
  mutating func receiveField(
    _ line: UnsafeBufferPointer<UInt8>, into head: inout RequestHead
  ) -> Int? {
    guard let (name, value) = Self.splitField(line) else { return 400 }
    head.fields.append(name: name, value: value)
    switch name.count {
    case 4 where name.equalsWithoutCase("host"):
      guard !hasHost, FieldRules.isAuthority(value) else { return 400 }
      hasHost = true
    case 6 where name.equalsWithoutCase("expect"):
      if value.equalsWithoutCase("100-continue") { expectsContinue = !isVersion10 }
    case 10 where name.equalsWithoutCase("connection"):
      for option in value.split(separator: UInt8(ascii: ",")) {
        let option = UnsafeBufferPointer(rebasing: option).trimmed
        if option.equalsWithoutCase("close") { saysClose = true }
        if option.equalsWithoutCase("keep-alive") { saysKeepAlive = true }
      }
    case 14 where name.equalsWithoutCase("content-length"):
      guard contentLength == nil, let count = FieldRules.decimal(value) else { return 400 }
      contentLength = count
    case 17 where name.equalsWithoutCase("transfer-encoding"):
      guard !isChunked, !isVersion10 else { return 400 }
      guard value.equalsWithoutCase("chunked") else { return 501 }
      isChunked = true
    default: break
    }
    return nil
  }

  /// Judges the whole head and completes its authority.
  mutating func headEnded(_ head: inout RequestHead) -> Int? {
    if isChunked, contentLength != nil { return 400 }
    // RFC 9112 section 3.2: HTTP/1.1 without `host` is answered with 400.
    guard hasHost || isVersion10 else { return 400 }
    if head.authority.isEmpty, let host = head.fields.value("host") {
      head.authority.append(contentsOf: host)
    }
    return nil
  }

  /// Takes a field line apart; nil when it is malformed, folded lines included.
  static func splitField(
    _ line: UnsafeBufferPointer<UInt8>
  ) -> (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = UnsafeBufferPointer(rebasing: line[..<colon])
    let value = FieldRules.trimmed(UnsafeBufferPointer(rebasing: line[(colon + 1)...]))
    guard FieldRules.isToken(name), FieldRules.hasNoControls(value) else { return nil }
    return (name, value)
  }

  /// The size that a chunk's first line gives; nil when it is malformed.
  static func chunkSize(_ line: UnsafeBufferPointer<UInt8>) -> Int64? {
    let digits = line.prefix { PercentCoding.hexValue($0) != nil }
    guard !digits.isEmpty, digits.count <= 15 else { return nil }
    let rest = UnsafeBufferPointer(rebasing: line[digits.endIndex...]).trimmed
    guard rest.isEmpty || rest.first == UInt8(ascii: ";"), FieldRules.hasNoControls(rest) else {
      return nil
    }
    return digits.reduce(0) { $0 << 4 | Int64(PercentCoding.hexValue($1) ?? 0) }
  }
}

extension HTTP1Framing {
  private mutating func receiveVersion(_ version: UnsafeBufferPointer<UInt8>) -> Int? {
    if version.isEqual("HTTP/1.1") { return nil }
    if version.isEqual("HTTP/1.0") {
      isVersion10 = true
      return nil
    }
    let isVersion =
      version.count == 8 && UnsafeBufferPointer(rebasing: version[..<5]).isEqual("HTTP/")
      && version[5] &- 0x30 < 10 && version[6] == UInt8(ascii: ".") && version[7] &- 0x30 < 10
    guard isVersion else { return 400 }
    // RFC 9110 section 2.5: a higher minor version is read as the highest that is known.
    return version[5] == UInt8(ascii: "1") ? nil : 505
  }

  private func isTarget(_ target: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !target.isEmpty else { return false }
    for byte in target where byte <= 0x20 || byte == 0x7f { return false }
    return true
  }

  /// Stores the target; of an absolute one (RFC 9112 section 3.2.2) scheme and authority apart.
  private func receiveTarget(
    _ target: UnsafeBufferPointer<UInt8>, into head: inout RequestHead
  ) -> Bool {
    if head.method.isEqual("CONNECT") {
      head.target.append(contentsOf: target)
      head.authority.append(contentsOf: target)
      return FieldRules.isAuthority(target)
    }
    if target.first == UInt8(ascii: "/") || target.isEqual("*") {
      head.target.append(copying: target)
      return true
    }
    guard let colon = target.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = UnsafeBufferPointer(rebasing: target[..<colon])
    let rest = UnsafeBufferPointer(rebasing: target[colon...])
    guard scheme.equalsWithoutCase("http") || scheme.equalsWithoutCase("https"), rest.count > 3,
      UnsafeBufferPointer(rebasing: rest[..<3]).isEqual("://")
    else { return false }
    let end = rest[3...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let authority = UnsafeBufferPointer(rebasing: rest[3..<(end ?? rest.endIndex)])
    guard !authority.isEmpty, FieldRules.isAuthority(authority) else { return false }
    head.scheme.append(contentsOf: scheme)
    head.authority.append(contentsOf: authority)
    if end.map({ rest[$0] }) != UInt8(ascii: "/") { head.target.append(UInt8(ascii: "/")) }
    if let end { head.target.append(contentsOf: rest[end...]) }
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without spaces and tabs around them.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var slice = self[...]
    while let first = slice.first, FieldRules.isBlank(first) { slice.removeFirst() }
    while let last = slice.last, FieldRules.isBlank(last) { slice.removeLast() }
    return UnsafeBufferPointer(rebasing: slice)
  }

  /// Whether the bytes are those of a lower-case literal, compared without case.
  func equalsWithoutCase(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    for index in 0..<count where FieldRules.lowercase(self[index]) != literal.utf8Start[index] {
      return false
    }
    return true
  }
}
