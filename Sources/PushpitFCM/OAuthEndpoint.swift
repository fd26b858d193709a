/// What a request about credentials is for, apart from the token endpoint.
enum OAuthEndpoint: Equatable {
  /// What is known of an access token.
  case tokenInfo(TokenStatus.Version)
  /// A token is taken back.
  case revoke
  /// STS: a subject token for an access token.
  case exchange
  /// An access token in a service account's name.
  case generateAccessToken(email: String)
  /// The metadata server, with the decoded path.
  case metadata(path: String)

  /// The endpoint of a decoded path; nil when it is none of these.
  init?(path: String) {
    switch path {
    case "/tokeninfo", "/oauth2/v3/tokeninfo": self = .tokenInfo(.third)
    case "/oauth2/v1/tokeninfo", "/oauth2/v2/tokeninfo": self = .tokenInfo(.legacy)
    case "/revoke", "/o/oauth2/revoke": self = .revoke
    case "/v1/token": self = .exchange
    case "/", MetadataServer.root: self = .metadata(path: path)
    default:
      if path.hasPrefix(MetadataServer.root + "/") {
        self = .metadata(path: path)
        return
      }
      let (start, end) = ("/v1/projects/-/serviceAccounts/", ":generateAccessToken")
      guard path.hasPrefix(start), path.hasSuffix(end), path.count > start.count + end.count
      else { return nil }
      self = .generateAccessToken(email: String(path.dropFirst(start.count).dropLast(end.count)))
    }
  }

  /// The hosts of Google's that have it.
  var hosts: [String] {
    switch self {
    case .tokenInfo: ["oauth2.googleapis.com", "www.googleapis.com"]
    case .revoke: ["oauth2.googleapis.com", "accounts.google.com"]
    case .exchange: ["sts.googleapis.com"]
    case .generateAccessToken: ["iamcredentials.googleapis.com"]
    case .metadata: ["metadata.google.internal"]
    }
  }

  /// Whether a request with this method is for it.
  func takes(_ method: [UInt8]) -> Bool {
    let isGet = method.elementsEqual("GET".utf8)
    let isPost = method.elementsEqual("POST".utf8)
    return switch self {
    case .tokenInfo: isGet || isPost
    case .metadata: isGet
    case .revoke, .exchange, .generateAccessToken: isPost
    }
  }
}
