internal import PushpitHTTPTypes

/// Everything that keeps others out of the console, in one place.
///
/// A page of another origin must neither read nor change anything, streams included: the names a
/// request may be addressed to stop DNS rebinding, `Origin` and `Sec-Fetch-Site` stop cross-site
/// requests, and the one content type stops forms. There are no CORS headers at all.
struct ConsoleGuard {
  /// Header fields of every answer.
  static let answerFields: [(name: StaticString, value: String)] = [
    ("x-content-type-options", "nosniff"), ("cache-control", "no-store"),
  ]

  private let access: ConsoleAccess
  private let hosts: Set<String>
  private let token: ConsoleToken?

  init(_ access: ConsoleAccess) {
    self.access = access
    let names = access.hosts.map { Self.unbracketed($0.lowercased()) }
    token = access.token.map(ConsoleToken.init)
    hosts = Set(names + ["localhost", "127.0.0.1", "::1"])
  }

  /// Refuses what does not come from this machine's user: checked first, for every request.
  func checkOrigin(_ head: RequestHead) throws(ConsoleProblem) {
    let authority = String(decoding: head.authority, as: UTF8.self).lowercased()
    guard let own = Authority(authority), hosts.contains(own.host) else {
      throw ConsoleProblem(
        403, .hostNotAllowed,
        "The console does not answer to the host \"\(authority)\"; "
          + "start pushpit with --host NAME to allow a name.")
    }
    for origin in values(head, "origin") {
      guard let from = Authority(origin: origin.lowercased()), from.isSame(as: own) else {
        throw ConsoleProblem(
          403, .foreignOrigin, "Pages of the origin \"\(origin)\" may not use the console.")
      }
    }
    // `same-site` is another port of the same host: another program's page.
    for site in values(head, "sec-fetch-site") where site != "same-origin" && site != "none" {
      throw ConsoleProblem(
        403, .foreignOrigin, "Other pages may not use the console (Sec-Fetch-Site: \(site)).")
    }
  }

  /// Demands the console token where one is configured.
  func checkToken(_ head: RequestHead) throws(ConsoleProblem) {
    guard let token else { return }
    guard let value = head.fields.text("authorization") else { throw .unauthorized }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", token.matches(Array(parts[1].utf8))
    else { throw .unauthorized }
  }

  /// Refuses bodies that are too long or not JSON.
  func checkBody(_ request: ConsoleRequest) throws(ConsoleProblem) {
    guard !request.isBodyCut, request.body.count <= access.bodyLimit else {
      throw ConsoleProblem(
        413, .bodyTooLong, "A body may have at most \(access.bodyLimit) bytes.")
    }
    guard !request.body.isEmpty else { return }
    let type = request.head.fields.text("content-type") ?? ""
    let essence = type.prefix { $0 != ";" }.lowercased()
    guard essence.split(separator: " ").elementsEqual(["application/json"]) else {
      throw ConsoleProblem(
        415, .notJSON, "A body must be sent with content-type: application/json.")
    }
  }

  private func values(_ head: RequestHead, _ name: StaticString) -> [String] {
    head.fields.entries.compactMap { entry in
      head.fields.matches(entry, name)
        ? String(decoding: head.fields.bytes[entry.value], as: UTF8.self) : nil
    }
  }

  private static func unbracketed(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Host and port of a `Host` field or an origin, in lower case.
  private struct Authority {
    /// Without brackets.
    let host: String
    let port: Int?

    init?(_ text: String) {
      var name = text[...]
      var port: Int?
      if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
          let number = UInt16(digits)
        else { return nil }
        name = text[..<colon]
        port = Int(number)
      }
      // An IPv6 address has brackets here (RFC 3986 section 3.2.2), and nothing else has.
      guard name.contains(":") == (name.hasPrefix("[") && name.hasSuffix("]")) else { return nil }
      host = ConsoleGuard.unbracketed(String(name))
      self.port = port
    }

    init?(origin: String) {
      for (scheme, standard) in [("http://", 80), ("https://", 443)]
      where origin.hasPrefix(scheme) {
        guard let authority = Authority(String(origin.dropFirst(scheme.count))) else { return nil }
        host = authority.host
        port = authority.port ?? standard
        return
      }
      return nil
    }

    /// Whether an origin is that of the page that this request's host serves.
    func isSame(as own: Authority) -> Bool {
      host == own.host && (own.port == port || own.port == nil && (port == 80 || port == 443))
    }
  }
}
