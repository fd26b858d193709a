internal import PushpitCrypto
internal import PushpitGateway
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// Sends pushes to a test's gateway as a provider does: over TLS and HTTP/2, with the gateway's credentials.
///
/// It stands in for a server where the test is about something else. A test of a server lets that send,
/// to `TestGateway.url`.
public actor TestSender {
  /// Provider tokens and access tokens are renewed when they are this old: Apple wants new ones no more
  /// often than every 20 minutes, and none that is over an hour old; Google's are good for an hour.
  static let renewalAge: Int64 = 40 * 60

  /// A token and the second of the gateway's clock at which it was made.
  private struct Dated {
    let text: String
    let madeAt: Int64
  }

  private let backend: any GatewayBackend
  private let port: Int
  private let credentials: TestCredentials
  private var connecting: Task<HTTPClient, any Error>?
  private var providerToken: Dated?
  private var accessToken: Dated?
  private var isClosed = false

  init(_ backend: any GatewayBackend, credentials: TestCredentials) {
    self.backend = backend
    port = backend.place.port
    self.credentials = credentials
  }

  /// Sends a push to APNs, with a provider token of the gateway's key.
  /// - Returns: APNs' answer, a refusal too.
  /// - Throws: `TestGatewayError.sending` when there is none.
  @discardableResult
  public func send(_ push: APNsPush) async throws(TestGatewayError) -> PushAnswer {
    let token = try await currentProviderToken()
    var head = head("/3/device/\(push.deviceToken)", host: push.environment?.host)
    head.fields.append("authorization", "bearer \(token)")
    head.fields.append("apns-topic", push.topic)
    head.fields.append("apns-push-type", push.pushType)
    let further = [
      ("apns-priority", push.priority.map { "\($0)" }),
      ("apns-expiration", push.expiration.map { "\($0)" }), ("apns-collapse-id", push.collapseID),
    ]
    for case (let name, let value?) in further { head.fields.append(name, value) }
    return PushAnswer(try await request(head, Array(push.payload.utf8)))
  }

  /// Sends a message to FCM, with an access token that the gateway gave the service account.
  /// - Returns: FCM's answer, a refusal too.
  /// - Throws: `TestGatewayError.sending` when there is none.
  @discardableResult
  public func send(_ message: FCMMessage) async throws(TestGatewayError) -> PushAnswer {
    let token = try await currentAccessToken()
    let project = message.projectID ?? credentials.projectID
    var head = head("/v1/projects/\(project)/messages:send")
    head.fields.append("authorization", "Bearer \(token)")
    head.fields.append("content-type", "application/json")
    return PushAnswer(try await request(head, Array("{\"message\":\(message.message)}".utf8)))
  }

  /// Closes its connection.
  func close() async {
    isClosed = true
    let client = try? await connecting?.value
    connecting = nil
    await client?.close()
  }
}

// MARK: - Connection

extension TestSender {
  private func head(_ target: String, host: String? = nil) -> RequestHead {
    RequestHead(method: "POST", target: target, authority: host ?? "localhost:\(port)")
  }

  private func request(
    _ head: RequestHead, _ body: [UInt8]
  ) async throws(TestGatewayError) -> Response {
    guard !isClosed else { throw .stopped }
    do {
      return try await client().request(head, body: body)
    } catch {
      // The next push gets a connection of its own.
      connecting = nil
      throw .sending("the gateway did not answer: \(error)")
    }
  }

  /// The one connection; whoever needs it first makes it, on the gateway's loop.
  private func client() async throws -> HTTPClient {
    if let connecting { return try await connecting.value }
    var tls = ClientOptions.TLS(authorities: Array(credentials.certificateAuthority.utf8))
    tls.protocols = ["h2"]
    let (options, port, loop) = (ClientOptions(tls: tls), port, backend.loop)
    let task = Task {
      try await HTTPClient.connect(to: "localhost", port: port, options, loop: loop)
    }
    connecting = task
    return try await task.value
  }
}

// MARK: - Tokens

extension TestSender {
  private func currentProviderToken() async throws(TestGatewayError) -> String {
    let now = try await now()
    if let providerToken, isFresh(providerToken, now) { return providerToken.text }
    let text = try signed(
      ["alg": "ES256", "kid": .string(credentials.apnsKeyID)],
      ["iss": .string(credentials.teamID), "iat": .int(Self.realTime)], by: credentials.apnsKey)
    providerToken = Dated(text: text, madeAt: now)
    return text
  }

  private func currentAccessToken() async throws(TestGatewayError) -> String {
    let now = try await now()
    if let accessToken, isFresh(accessToken, now) { return accessToken.text }
    let account = (try? JSONReader.parse(credentials.serviceAccount.utf8)) ?? .null
    let issuedAt = Self.realTime
    let assertion = try signed(
      ["alg": "RS256", "typ": "JWT", "kid": account["private_key_id"] ?? .null],
      [
        "iss": account["client_email"] ?? .null, "aud": account["token_uri"] ?? .null,
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
        "iat": .int(issuedAt), "exp": .int(issuedAt + 3600),
        // No two are the same: one that the gateway has seen is as old as its clock says.
        "jti": .int(now),
      ], by: account["private_key"]?.stringValue ?? "")
    var head = head("/token")
    head.fields.append("content-type", "application/x-www-form-urlencoded")
    let grant = PercentCoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
    let answer = try await request(
      head, Array("grant_type=\(grant)&assertion=\(assertion)".utf8))
    guard let text = (try? JSONReader.parse(answer.body))?["access_token"]?.stringValue else {
      throw .sending(
        "the gateway gave no access token: " + String(decoding: answer.body, as: UTF8.self))
    }
    accessToken = Dated(text: text, madeAt: now)
    return text
  }

  private func isFresh(_ token: Dated, _ now: Int64) -> Bool {
    (0..<Self.renewalAge).contains(now - token.madeAt)
  }

  /// What senders write into tokens: the gateway moves it by its clock's lead.
  private static var realTime: Int64 { SystemTime().now.seconds }

  /// The second of the gateway's clock.
  private func now() async throws(TestGatewayError) -> Int64 {
    try await backend.now()
  }

  /// A JSON web token.
  private func signed(
    _ header: JSONValue, _ claims: JSONValue, by pem: String
  ) throws(TestGatewayError) -> String {
    let input = [header, claims].map {
      Base64.encode($0.serialized(), url: true, padded: false)
    }.joined(separator: ".")
    do throws(CryptoError) {
      let key = try PrivateKey(pem: Array(pem.utf8))
      let isRSA = if case .rsa = key.publicKey.kind { true } else { false }
      let signature = isRSA ? key.signRS256(input.utf8) : key.signES256(input.utf8)
      return "\(input).\(Base64.encode(signature, url: true, padded: false))"
    } catch {
      throw .sending("cannot sign a token: \(error)")
    }
  }
}
