internal import PushpitHTTPTypes
internal import PushpitModel

extension APNsService {
  /// Finds everything the checks need in a request, and judges nothing but shapes.
  func read(_ request: PushRequest, _ connection: APNsConnectionState) -> APNsPush {
    var push = APNsPush(workspace: workspaces[request.home])
    push.fields.read(request.head.fields)
    push.path = APNsPath(request.head)
    readValues(request, connection, &push)
    readToken(request, &push)
    if let certificate = connection.certificate {
      push.workspace = workspaces[certificate.workspace]
    } else {
      if let range = push.fields.authorization,
        let token = Self.bearer(request.head.fields.bytes, range)
      {
        readProviderToken(request.head.fields.bytes, token, connection, &push)
      }
      if let id = push.providerToken?.workspace ?? push.record?.workspace,
        id != push.workspace.id
      {
        push.workspace = workspaces[id]
      }
    }
    // Its age begins when it is first seen, whatever the push is answered.
    if push.isTokenNew {
      _ = push.providerToken?.issuedAt(in: push.workspace, seenAt: request.receivedAt)
    }
    push.policies = push.workspace.policies
    return push
  }

  private func readValues(
    _ request: PushRequest, _ connection: APNsConnectionState, _ push: inout APNsPush
  ) {
    if let range = push.fields.topic {
      push.topic = request.head.fields.bytes[range]
    } else if let certificate = connection.certificate {
      push.topic = certificate.defaultTopic[...]
    }
    if !push.topic.isEmpty {
      lastTopic.become(push.topic)
      push.isTopicWellFormed = lastTopic.isWellFormed
      push.topicOwner = lastTopic.owner
    }
    if let range = push.fields.pushType {
      push.pushType = APNsPushType(request.head.fields.bytes[range])
    }
    if let range = push.fields.priority {
      push.priority = Self.integer(request.head.fields.bytes[range])
        .flatMap(UInt8.init(exactly:))
    }
    if let range = push.fields.expiration {
      push.expiration = Self.integer(request.head.fields.bytes[range])
    }
    if let range = push.fields.id {
      push.isIDWellFormed = Self.isCanonicalUUID(request.head.fields.bytes[range])
    }
  }

  /// Writes down what the request said, for the record, whatever becomes of it; token and topic are
  /// moved to the outcome later.
  func describe(
    _ request: PushRequest, _ push: borrowing APNsPush, _ connection: APNsConnectionState,
    in outcome: inout PushOutcome
  ) {
    if case .unknown = push.path { outcome.service = .unknown }
    outcome.environment = request.environment
    outcome.credential = connection.certificate?.facts ?? push.providerToken?.facts
    if !push.token.isEmpty {
      outcome.tokenKind = push.isTokenWellFormed ? .apns : TokenShape.kind(of: push.token)
    }
    outcome.priority = push.priority
    // Without the field it is 10 (Apple: Sending notification requests to APNs).
    outcome.manner.isUrgent = push.priority.map { $0 > 5 } ?? true
    if case .background? = push.pushType { outcome.manner.isBackground = true }
    outcome.expiration = push.expiration
    if let range = push.fields.pushType {
      outcome.pushType = request.head.fields.bytes[range]
    }
    if let range = push.fields.collapseID {
      outcome.collapse = request.head.fields.bytes[range]
    }
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
      UnsafeBufferPointer(rebasing: bytes[value.prefix(schemeCount)]).isEqualIgnoringCase("bearer")
    }
    guard isBearer else { return nil }
    var start = value.lowerBound + schemeCount
    var end = value.upperBound
    while start < end, bytes[start] == 0x20 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// The connection's last token when it is the same, without hashing; else that of the cache.
  private func readProviderToken(
    _ bytes: [UInt8], _ range: Range<Int>, _ connection: APNsConnectionState,
    _ push: inout APNsPush
  ) {
    let last = bytes.withUnsafeBufferPointer { bytes in
      connection.lastToken(equalTo: UnsafeBufferPointer(rebasing: bytes[range]))
    }
    push.isTokenNew = last == nil
    if let last { providerTokens.update(last) }
    push.providerToken = last ?? providerTokens.token(bytes[range])
  }

  /// The device token of the path, percent-decoded, and what is known of it.
  private func readToken(_ request: PushRequest, _ push: inout APNsPush) {
    guard case .device(let range, let isEncoded) = push.path, !range.isEmpty else { return }
    push.token = request.head.target[range]
    if isEncoded {
      push.token = PercentCoding.decode(push.token)[...]
      setCanonicalToken(push.token.span)
    } else {
      setCanonicalToken(request.head.target.span.extracting(range))
    }
    // The registry has APNs tokens in canonical form, so what it knows needs no examination.
    push.record = tokens.record(of: canonicalToken)
    if case .apns? = push.record?.kind {
      push.isTokenWellFormed = true
    } else if lowercaseCanonicalToken() {
      push.isTokenWellFormed = true
      push.record = tokens.record(of: canonicalToken)
    }
  }

  private func setCanonicalToken(_ token: Span<UInt8>) {
    if canonicalToken.count != token.count {
      canonicalToken = [UInt8](repeating: 0, count: token.count)
    }
    token.withUnsafeBufferPointer { token in
      canonicalToken.withUnsafeMutableBufferPointer { _ = $0.update(from: token) }
    }
  }

  /// Makes the canonical token's letters lower case; false when it is not an APNs token.
  ///
  /// A token in upper-case hexadecimal digits is the same token (200, observed 2021).
  private func lowercaseCanonicalToken() -> Bool {
    guard TokenShape.isAPNs(canonicalToken) else { return false }
    // Digits have this bit set already.
    for index in canonicalToken.indices { canonicalToken[index] |= 0x20 }
    return true
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
