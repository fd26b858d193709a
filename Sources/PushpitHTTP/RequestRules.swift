import PushpitHTTPTypes

/// The rules of RFC 9113 section 8 for one HTTP/2 request, applied field by field.
///
/// nghttp2's own checks are off, because real senders break some of them: a `:scheme` of `https:`
/// (firebase-admin-node 12.7), a space or `<>` in `:path`, `host` in place of `:authority` (aioapns)
/// or beside another one, and blanks around a value (curl 7.88 and Node 20 send `bearer ` with an
/// empty token so; httpx and the JDK trim). Nothing else passes; what does not is a malformed request,
/// which is a stream error of type PROTOCOL_ERROR (section 8.1.1).
struct RequestRules {
  /// The first rule that was broken.
  private(set) var fault: RequestFault?
  /// The value of `content-length`; nil without that field.
  private(set) var contentLength: Int64?
  private var seen: Seen = []

  /// What has come so far.
  private struct Seen: OptionSet {
    let rawValue: UInt8
    static let method = Seen(rawValue: 1)
    static let scheme = Seen(rawValue: 2)
    static let path = Seen(rawValue: 4)
    static let authority = Seen(rawValue: 8)
    static let host = Seen(rawValue: 16)
    static let regularField = Seen(rawValue: 32)
  }

  /// Judges one field of the request's head and stores it.
  @inline(__always)
  mutating func receive(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>,
    into head: inout RequestHead
  ) {
    if name.first == UInt8(ascii: ":") {
      receivePseudoField(name, value, into: &head)
      return
    }
    seen.insert(.regularField)
    let value = FieldRules.trimmed(value)
    checkRegularField(name, value)
    head.fields.append(name: name, value: value)
  }

  /// Judges one field of a trailer section, which is not kept: nobody reads it.
  mutating func receiveTrailer(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    if name.first == UInt8(ascii: ":") { fail(.trailers) }
    // `content-length` would come too late to mean anything, `host` likewise.
    let before = (contentLength, seen)
    checkRegularField(name, FieldRules.trimmed(value))
    (contentLength, seen) = before
  }

  /// A trailer section must end the stream (section 8.1).
  mutating func trailersEnded(isLast: Bool) {
    if !isLast { fail(.trailers) }
  }

  /// Judges the whole head and completes its authority.
  mutating func headEnded(_ head: inout RequestHead) {
    guard fault == nil else { return }
    complete(&head)
  }

  /// Compares `content-length` with the body (section 8.1.1).
  mutating func bodyEnded(count: Int64) {
    if let contentLength, contentLength != count { fail(.contentLength) }
  }
}

extension RequestRules {
  private mutating func receivePseudoField(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
    into head: inout RequestHead
  ) {
    // Section 8.3: all pseudo-header fields come before the regular ones.
    var isValid = !seen.contains(.regularField)
    var rule = RequestFault.pseudoField
    switch name.count {
    case 5 where name.isEqual(":path"):
      rule = .path
      isValid = isValid && note(.path) && !value.isEmpty && FieldRules.isValue(value)
      head.target.append(copying: value)
    case 7 where name.isEqual(":method"):
      rule = .method
      isValid = isValid && note(.method) && FieldRules.isToken(value)
      head.method.append(copying: value)
    case 7 where name.isEqual(":scheme"):
      rule = .scheme
      isValid = isValid && note(.scheme) && FieldRules.isScheme(value)
      head.scheme.append(copying: value)
    case 10 where name.isEqual(":authority"):
      rule = .authority
      isValid = isValid && note(.authority) && FieldRules.isAuthority(value)
      head.authority.append(copying: value)
    default:
      isValid = false
    }
    if !isValid { fail(seen.contains(.regularField) ? .pseudoField : rule) }
  }

  /// Keeps the first fault.
  private mutating func fail(_ rule: RequestFault) { fault = fault ?? rule }

  /// Notes a field that may come once; false when it had come before.
  private mutating func note(_ field: Seen) -> Bool { seen.insert(field).inserted }

  private mutating func checkRegularField(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    guard FieldRules.isLowercaseName(name) else { return fail(.fieldName) }
    guard FieldRules.hasNoControls(value) else { return fail(.fieldValue) }
    switch name.count {
    case 2 where name.isEqual("te"):
      if !value.isEqual("trailers") { fail(.te) }
    case 4 where name.isEqual("host"):
      if !note(.host) || !FieldRules.isAuthority(value) { fail(.host) }
    case 14 where name.isEqual("content-length"):
      receiveContentLength(value)
    case 7, 10, 16, 17:
      // Section 8.2.2: fields of one hop have no place in HTTP/2.
      if name.isEqual("connection") || name.isEqual("upgrade") || name.isEqual("keep-alive")
        || name.isEqual("proxy-connection") || name.isEqual("transfer-encoding")
      {
        fail(.oneHopField)
      }
    default: break
    }
  }

  private mutating func receiveContentLength(_ value: UnsafeBufferPointer<UInt8>) {
    guard let count = FieldRules.decimal(value), contentLength == nil || contentLength == count
    else { return fail(.contentLength) }
    contentLength = count
  }

  /// Demands what a request must have, and puts `host` in the place of a missing authority.
  private mutating func complete(_ head: inout RequestHead) {
    guard seen.contains(.method) else { return fail(.incomplete) }
    if head.method.isEqual("CONNECT") {
      // Section 8.5: CONNECT has neither a scheme nor a path.
      guard seen.isDisjoint(with: [.scheme, .path]), !head.authority.isEmpty else {
        return fail(.connect)
      }
      return
    }
    guard seen.isSuperset(of: [.scheme, .path]),
      head.target.first == UInt8(ascii: "/")
        || head.target.isEqual("*") && head.method.isEqual("OPTIONS")
    else { return fail(.incomplete) }
    // `:authority` wins over a `host` that differs, although section 8.3.1 forbids the pair: senders
    // copy `host: api.push.apple.com` from Apple's samples.
    if !seen.contains(.authority), let host = head.fields.value("host") {
      head.authority.append(contentsOf: host)
    }
    if head.authority.isEmpty { fail(.incomplete) }
  }
}
