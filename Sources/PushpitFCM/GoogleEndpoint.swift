import PushpitHTTPTypes
import PushpitModel

/// What a request to Google's side is for, by its method, host and path.
enum GoogleEndpoint: Equatable {
  /// `POST` to one of the three paths that libraries get access tokens at.
  case token
  /// What else is about credentials.
  case oauth(OAuthEndpoint)
  /// `POST /v1/projects/{project}/messages:send`.
  case send(project: String)
  /// `POST /fcm/send`, retired in 2024.
  case legacySend
  /// `POST /batch`, many messages in one request, shut down in 2024.
  case batch
  /// What is about registrations: topics and device groups.
  case registration(RegistrationEndpoint)
  /// Nothing is there.
  case nothing

  /// The paths of the token endpoint: of google-auth and Go, of Node 12, of Ruby.
  static let tokenPaths = ["/token", "/o/oauth2/token", "/oauth2/v4/token"]

  /// The service that each of Google's own hosts has, nil for those that have only endpoints of
  /// `OAuthEndpoint`; any other name has everything.
  private static let hosts: [String: PushService?] = [
    "fcm.googleapis.com": .fcm,
    "fcm.mtls.googleapis.com": .fcm,
    "oauth2.googleapis.com": .oauth,
    "accounts.google.com": .oauth,
    "www.googleapis.com": .oauth,
    "iid.googleapis.com": .iid,
    "sts.googleapis.com": nil,
    "iamcredentials.googleapis.com": nil,
    "metadata.google.internal": nil,
  ]

  init(_ head: RequestHead) {
    // Decoded before routing: older async-firebase sent `/messages%3Asend`.
    let path = String(decoding: PercentCoding.decode(head.path), as: UTF8.self)
    let endpoint = Self.endpoint(path)
    let host = HostName.host(ofAuthority: head.authority)
    if case .oauth(let endpoint) = endpoint {
      let isThere = endpoint.hosts.contains(host) || !Self.isGoogle(host)
      self = isThere && endpoint.takes(head.method) ? .oauth(endpoint) : .nothing
      return
    }
    if case .nothing = endpoint,
      let registration = RegistrationEndpoint(method: head.method, path: head.path)
    {
      self = Self.has(registration.service, host) ? .registration(registration) : .nothing
      return
    }
    let isPost = head.method.elementsEqual("POST".utf8)
    self = isPost && Self.has(endpoint.service, host) ? endpoint : .nothing
  }

  /// Whether a service is at a host.
  private static func has(_ service: PushService, _ host: String) -> Bool {
    guard let only = hosts[host] else { return true }
    return only == service
  }

  /// The service that the record names.
  var service: PushService {
    switch self {
    case .token, .oauth: .oauth
    case .send, .legacySend, .batch: .fcm
    case .registration(let endpoint): endpoint.service
    case .nothing: .unknown
    }
  }

  private static func isGoogle(_ host: String) -> Bool {
    [".googleapis.com", ".google.com", ".google.internal"].contains(where: host.hasSuffix)
  }

  private static func endpoint(_ path: String) -> GoogleEndpoint {
    if tokenPaths.contains(path) { return .token }
    if path == "/fcm/send" { return .legacySend }
    if path == "/batch" { return .batch }
    let parts = path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
    if parts.count == 4, parts[0].elementsEqual("v1".utf8), parts[1].elementsEqual("projects".utf8),
      !parts[2].isEmpty, parts[3].elementsEqual("messages:send".utf8)
    {
      return .send(project: String(Substring(parts[2])))
    }
    return OAuthEndpoint(path: path).map { .oauth($0) } ?? .nothing
  }
}

/// The host part of an authority or of a URL.
enum HostName {
  /// Lower case and without the port; brackets of an IPv6 address stay.
  static func host(ofAuthority authority: some Collection<UInt8>) -> String {
    let text = String(decoding: authority, as: UTF8.self).lowercased()
    guard let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return text }
    return String(text[..<colon])
  }

  /// Host and path of an `http` or `https` URL; nil for anything else, and with a query.
  static func parts(ofURL url: String) -> (host: String, path: String)? {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
    let rest = url.dropFirst(scheme.count)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    return (host(ofAuthority: rest[..<slash].utf8), String(rest[slash...]))
  }
}
