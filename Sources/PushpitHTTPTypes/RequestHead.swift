/// The head of a request as received: method, target, authority and fields, as bytes.
///
/// In HTTP/2 the pseudo-header fields are here and not in `fields`. `authority` is `:authority`, or
/// the `host` field where that is absent (RFC 9113 section 8.3.1); `fields` still has `host`.
package struct RequestHead: Sendable {
  /// `POST`, as sent.
  package var method: [UInt8] = []
  /// The request target as sent: path and query, not decoded.
  package var target: [UInt8] = []
  /// Host and optional port; empty when the request names none.
  package var authority: [UInt8] = []
  /// `https`, `http`, or what an HTTP/2 client wrote; empty in HTTP/1.1.
  package var scheme: [UInt8] = []
  /// All other fields in order.
  package var fields = FieldList()

  package init() {}

  /// Makes a head from text, for clients and tests.
  package init(
    method: String, target: String, authority: String = "", scheme: String = "https",
    fields: KeyValuePairs<String, String> = [:]
  ) {
    self.method = Array(method.utf8)
    self.target = Array(target.utf8)
    self.authority = Array(authority.utf8)
    self.scheme = Array(scheme.utf8)
    self.fields = FieldList(fields)
  }

  /// Forgets everything and keeps the memory.
  package mutating func removeAll() {
    method.removeAll(keepingCapacity: true)
    target.removeAll(keepingCapacity: true)
    authority.removeAll(keepingCapacity: true)
    scheme.removeAll(keepingCapacity: true)
    fields.removeAll()
  }

  /// The target up to its first `?`.
  package var path: ArraySlice<UInt8> {
    target[..<(queryMark ?? target.endIndex)]
  }

  /// What follows the first `?`, empty when there is none.
  package var query: ArraySlice<UInt8> {
    guard let mark = queryMark else { return target[target.endIndex...] }
    return target[(mark + 1)...]
  }

  /// Whether there is something after the first `?`.
  package var hasQuery: Bool {
    guard let mark = queryMark else { return false }
    return mark + 1 < target.count
  }

  /// Where the first `?` is; most targets have none.
  private var queryMark: Int? {
    target.withUnsafeBufferPointer { $0.firstIndex(of: UInt8(ascii: "?"), from: 0) }
  }
}
