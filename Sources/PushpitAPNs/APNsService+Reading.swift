internal import PushpitHTTPTypes
internal import PushpitModel

extension APNsService {
  /// Finds everything the checks need in a request, and judges nothing yet.
  func read(_ request: PushRequest, _ connection: APNsConnectionState) -> APNsPush {
    let head = request.head
    let fields = APNsFields(head.fields)
    let path = APNsPath(head)
    var outcome = PushOutcome(service: .apns, workspace: .default, status: 0)
    outcome.environment = request.environment
    if let range = fields.topic { outcome.topic = head.fields.bytes[range] }
    if let range = fields.pushType { outcome.pushType = head.fields.bytes[range] }
    if let range = fields.collapseID { outcome.collapse = head.fields.bytes[range] }
    if let range = fields.priority {
      outcome.priority = Self.integer(head.fields.bytes[range]).flatMap(UInt8.init(exactly:))
    }
    if let range = fields.expiration {
      outcome.expiration = Self.integer(head.fields.bytes[range])
    }
    var push = APNsPush(
      fields: fields, path: path, outcome: outcome, workspace: workspaces.default)
    if let range = fields.authorization, let token = Self.bearer(head.fields.bytes, range) {
      push.providerToken = providerToken(head.fields.bytes, token, connection)
      push.outcome.credential = push.providerToken?.facts
    }
    readToken(head, &push)
    if let id = push.providerToken?.key?.workspace ?? push.record?.workspace {
      push.workspace = workspaces[id]
    }
    push.outcome.workspace = push.workspace.id
    return push
  }

  /// Where the token of a bearer credential lies; nil for another scheme or nothing after it.
  ///
  /// The scheme is compared without case: a2 sends `Bearer`, most others `bearer`.
  private static func bearer(_ bytes: [UInt8], _ value: Range<Int>) -> Range<Int>? {
    let schemeCount = 6
    guard value.count > schemeCount + 1, bytes[value.lowerBound + schemeCount] == 0x20 else {
      return nil
    }
    let isBearer = bytes.withUnsafeBufferPointer { bytes in
      equalIgnoringCase(
        UnsafeBufferPointer(rebasing: bytes[value.prefix(schemeCount)]), "bearer")
    }
    guard isBearer else { return nil }
    var start = value.lowerBound + schemeCount
    var end = value.upperBound
    while start < end, bytes[start] == 0x20 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// The connection's last token when it is the same, without hashing; else that of the cache.
  private func providerToken(
    _ bytes: [UInt8], _ range: Range<Int>, _ connection: APNsConnectionState
  ) -> ProviderToken {
    let last = bytes.withUnsafeBufferPointer { bytes in
      connection.lastToken(equalTo: UnsafeBufferPointer(rebasing: bytes[range]))
    }
    return last ?? providerTokens.token(bytes[range])
  }

  /// The device token of the path, percent-decoded, and what is known of it.
  private func readToken(_ head: RequestHead, _ push: inout APNsPush) {
    guard case .device(let range) = push.path else {
      push.outcome.service = .unknown
      return
    }
    let sent = head.target[range]
    let token = sent.contains(UInt8(ascii: "%")) ? PercentCoding.decode(sent)[...] : sent
    guard !token.isEmpty else { return }
    push.outcome.token = token
    push.isTokenWellFormed = canonicalize(token)
    push.outcome.tokenKind = push.isTokenWellFormed ? .apns : TokenShape.kind(of: token)
    push.record = tokens.record(of: push.isTokenWellFormed ? canonicalToken : Array(token))
  }

  /// Writes the token in lower case to `canonicalToken`; false when it is not an APNs token.
  ///
  /// A token in upper-case hexadecimal digits is the same token (200, observed 2021).
  private func canonicalize(_ token: ArraySlice<UInt8>) -> Bool {
    let count = token.count
    guard TokenShape.apnsLengths.contains(count), count.isMultiple(of: 2) else { return false }
    if canonicalToken.count != count {
      canonicalToken = [UInt8](repeating: 0, count: count)
    }
    return token.withUnsafeBufferPointer { token in
      canonicalToken.withUnsafeMutableBufferPointer { canonical in
        for index in 0..<count {
          let byte = token[index]
          if byte &- 0x30 < 10 || byte &- 0x61 < 6 {
            canonical[index] = byte
          } else if byte &- 0x41 < 6 {
            canonical[index] = byte | 0x20
          } else {
            return false
          }
        }
        return true
      }
    }
  }

  /// A decimal integer with an optional minus sign; nil for anything else or more than 64 bits.
  static func integer(_ text: ArraySlice<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard byte &- 0x30 < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte &- 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return isNegative ? -value : value
  }

  /// Whether these are 8-4-4-4-12 hexadecimal digits of either case.
  ///
  /// Apple documents lower case; the acceptance of upper case is not known, and is the default
  /// because APNs' own identifiers are in upper case.
  static func isCanonicalUUID(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    return text.withUnsafeBufferPointer { text in
      for index in 0..<36 {
        let isDash = index == 8 || index == 13 || index == 18 || index == 23
        let byte = text[index]
        let isDigit = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
        guard isDash ? byte == UInt8(ascii: "-") : isDigit else { return false }
      }
      return true
    }
  }
}
