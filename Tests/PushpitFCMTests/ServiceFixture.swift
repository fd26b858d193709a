import PushpitCrypto
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// A service over directories of its own, at a fixed moment, with one account of the project demo.
final class ServiceFixture {
  /// Keys are made once: an RSA key takes a tenth of a second.
  static let keys = Result { (own: try TestKey(), other: try TestKey()) }

  /// An RSA key as values that tests can share.
  struct TestKey: Sendable {
    let pem: [UInt8]
    let spki: [UInt8]

    init() throws {
      let key = try PrivateKey.generateRSA()
      pem = key.pem
      spki = key.publicKey.spki
    }
  }

  static let email = "sender@demo.iam.gserviceaccount.com"
  static let audience = "https://oauth2.googleapis.com/token"
  static let messagingScope = "https://www.googleapis.com/auth/firebase.messaging"
  static let androidToken = "cAPs7kQ9R0m:APA91b" + String(repeating: "x", count: 134)

  let credentials = CredentialDirectory()
  let workspaces = WorkspaceDirectory()
  let tokens = TokenRegistry()
  let time = FixedTime(Timestamp(milliseconds: 1_790_000_000_000))
  let service: FCMService
  let apns = APNsStandIn()
  let account: ServiceAccount
  let keys: (own: TestKey, other: TestKey)
  var head = ResponseHead()
  var body: [UInt8] = []

  init(mayPush: Bool = true) throws {
    keys = try Self.keys.get()
    account = ServiceAccount(
      projectID: "demo", projectNumber: "123456789012", clientEmail: Self.email,
      privateKeyID: "k1", publicKey: keys.own.spki, mayPush: mayPush)
    try credentials.add(account)
    service = FCMService(
      credentials: credentials, workspaces: workspaces, tokens: tokens,
      random: RandomSource(seed: 1), time: time,
      tokenEndpoints: ["https://localhost:2197/token", "pushpit"], machineAccount: account
    ) { [apns] request, _ throws(APNsRelay.Refusal) in try apns.judge(request) }
  }

  /// The answer's body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
  /// The answer's body as JSON.
  var json: JSONValue? { try? JSONReader.parse(body) }

  /// Sends any request.
  @discardableResult
  func request(
    _ method: String, _ target: String, authority: String = "localhost:2197",
    fields: KeyValuePairs<String, String> = [:], body text: String = "", isBodyCut: Bool = false
  ) -> PushOutcome {
    let request = PushRequest(
      head: RequestHead(method: method, target: target, authority: authority, fields: fields),
      body: Array(text.utf8), isBodyCut: isBodyCut, receivedAt: time.now)
    return service.respond(to: request, response: &head, body: &body)
  }

  /// The claims of a good assertion.
  var goodClaims: JSONObject {
    let now = time.now.seconds
    return JSONObject([
      "iss": .string(Self.email), "scope": .string(Self.messagingScope),
      "aud": .string(Self.audience), "iat": .int(now), "exp": .int(now + 3600),
    ])
  }

  /// A signed JSON web token.
  func sign(
    _ claims: JSONObject, header: JSONValue = ["typ": "JWT", "alg": "RS256", "kid": "k1"],
    with key: TestKey? = nil
  ) throws -> String {
    let input = [header.serialized(), JSONValue.object(claims).serialized()]
      .map { Base64.encode($0, url: true, padded: false) }.joined(separator: ".")
    let signature = try PrivateKey(pem: (key ?? keys.own).pem).signRS256(Array(input.utf8))
    return input + "." + Base64.encode(signature, url: true, padded: false)
  }

  /// Asks for an access token with these claims.
  @discardableResult
  func grant(_ claims: JSONObject? = nil) throws -> PushOutcome {
    try grant(assertion: sign(claims ?? goodClaims))
  }

  /// Asks for an access token with this assertion.
  @discardableResult
  func grant(
    assertion: String, type: String = "urn:ietf:params:oauth:grant-type:jwt-bearer",
    path: String = "/token"
  ) -> PushOutcome {
    request(
      "POST", path,
      body: "grant_type=\(PercentCoding.encode(type))&assertion=\(PercentCoding.encode(assertion))")
  }

  /// A good access token.
  func accessToken(_ claims: JSONObject? = nil) throws -> String {
    try grant(claims)
    return try #require(json?["access_token"]?.stringValue)
  }

  /// Sends a message as JSON with a good bearer, or with this one.
  @discardableResult
  func send(
    _ text: String, project: String = "demo", bearer: String? = nil
  ) throws -> PushOutcome {
    let bearer = try bearer ?? accessToken()
    return request(
      "POST", "/v1/projects/\(project)/messages:send",
      fields: ["authorization": "Bearer \(bearer)"], body: text)
  }

  /// Sends to a token.
  @discardableResult
  func send(to token: String = androidToken, bearer: String? = nil) throws -> PushOutcome {
    try send(#"{"message":{"token":"\#(token)"}}"#, bearer: bearer)
  }

  /// Registers a token of a device.
  @discardableResult
  func register(
    _ token: String = androidToken, project: String = "demo", platform: Platform = .android,
    workspace: WorkspaceID = .default
  ) -> TokenRecord {
    let record = TokenRecord(
      token: Array(token.utf8), kind: .fcm, workspace: workspace, device: DeviceID("d1"),
      project: project, app: "com.example.app", platform: platform)
    if platform == .ios { record.apnsToken = APNsStandIn.token(of: workspace) }
    tokens.register(record)
    return record
  }
}

/// Stands for APNs, whose rules are another target's: keeps what FCM passes on, and says what a test wants.
final class APNsStandIn {
  private(set) var requests: [PushRequest] = []
  /// Nil when it accepts.
  var refusal: APNsRelay.Refusal?
  /// Whom it finds in a path.
  let recipient = APNsStandIn.token(of: .default)

  func judge(_ request: PushRequest) throws(APNsRelay.Refusal) -> TokenRecord {
    requests.append(request)
    if let refusal { throw refusal }
    return recipient
  }

  /// The device token of an iOS app.
  static func token(of workspace: WorkspaceID) -> TokenRecord {
    TokenRecord(
      token: Array(String(repeating: "0a1b2c3d", count: 8).utf8), kind: .apns, purpose: .app,
      workspace: workspace, device: DeviceID("d1"), environment: .production,
      topic: Array("com.example.app".utf8), app: "com.example.app", platform: .ios)
  }
}
