/// Who may use the console.
package struct ConsoleAccess: Sendable, Equatable {
  /// Names besides localhost, 127.0.0.1 and [::1] that a request may be addressed to.
  package var hosts: [String]
  /// The bearer token that every request needs; nil for none, which is for loopback only.
  package var token: String?
  /// The longest body in bytes.
  package var bodyLimit: Int

  package init(hosts: [String] = [], token: String? = nil, bodyLimit: Int = 8 << 20) {
    self.hosts = hosts
    self.token = token
    self.bodyLimit = bodyLimit
  }
}
