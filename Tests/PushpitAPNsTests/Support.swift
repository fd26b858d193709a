import PushpitCrypto
import PushpitHTTPTypes
import PushpitModel

@testable import PushpitAPNs

/// A push as a test describes it: valid until something is broken.
struct TestPush {
  var method = "POST"
  var target = "/3/device/" + Gateway.deviceToken
  var authority = "api.push.apple.com"
  var fields: [(name: String, value: String)] = []
  var body = Array(#"{"aps":{"alert":"hello"}}"#.utf8)
  var isBodyCut = false
  var environment = APNsEnvironment.sandbox
  var receivedAt = Gateway.now
  /// The client certificate of a new connection that it comes on; nil for the last connection.
  var certificate: ProviderCertificate?

  /// Replaces a field, adds it, or with nil removes it.
  mutating func set(_ name: String, _ value: String?) {
    let index = fields.firstIndex { $0.name == name }
    switch (index, value) {
    case (let index?, let value?): fields[index].value = value
    case (let index?, nil): fields.remove(at: index)
    case (nil, let value?): fields.append((name, value))
    case (nil, nil): break
    }
  }

  /// Makes the path that of a device token.
  mutating func setToken(_ token: String) {
    target = "/3/device/" + token
  }

  var request: PushRequest {
    var head = RequestHead(method: method, target: target, authority: authority)
    for (name, value) in fields { head.fields.append(name, value) }
    return PushRequest(
      head: head, body: body, isBodyCut: isBodyCut, environment: environment,
      receivedAt: receivedAt)
  }
}

/// What a test sees of an answer: the outcome, and everything that goes on the wire.
struct TestAnswer {
  let outcome: PushOutcome
  let status: Int
  let fields: [String]
  let body: String

  var reason: String? { outcome.reason }
  var code: DiagnosisCode? { outcome.diagnosis?.code }
}

/// One APNs service with a key, a registered device token and a fixed moment.
final class Gateway {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)
  static let keyID = "KEYIDKEYID"
  static let teamID = "TEAMIDTEAM"
  static let topic = "com.example.app"
  static let deviceToken = String(repeating: "0a1b2c3d", count: 8)
  static let fcmToken =
    "fHk3example:APA91b" + String(repeating: "x", count: 120)

  let key: PrivateKey
  let credentials = CredentialDirectory()
  let workspaces = WorkspaceDirectory()
  let tokens = TokenRegistry()
  let service: APNsService
  var connection = APNsConnectionState()
  private var knownOtherKey: TestJWT?
  /// The provider token of `validPush`: one for all pushes, as a good sender has it.
  private(set) lazy var authorization = "bearer " + jwt().text

  /// Starts with a key that is good for these environments.
  init(environments: [APNsEnvironment] = APNsEnvironment.allCases) throws {
    key = try PrivateKey.generateP256()
    service = APNsService(
      credentials: credentials, workspaces: workspaces, tokens: tokens,
      random: RandomSource(seed: 1))
    try credentials.add(
      APNsKey(
        keyID: Self.keyID, teamID: Self.teamID, publicKey: key.publicKey.spki,
        environments: environments))
    register(Self.deviceToken)
  }

  /// A push that is accepted.
  var validPush: TestPush {
    var push = TestPush()
    push.fields = [
      ("authorization", authorization),
      ("apns-id", "0b5c2a1e-5f0a-4b7e-9d53-2f6a0d8c1e77"),
      ("apns-topic", Self.topic),
      ("apns-push-type", "alert"),
      ("apns-priority", "10"),
      ("apns-expiration", "0"),
      ("apns-collapse-id", "chat-7"),
    ]
    return push
  }

  func jwt() -> TestJWT { TestJWT(key: key) }

  /// A provider token of the same team's other key, the same one at each call.
  var otherKey: TestJWT {
    get throws {
      if let known = knownOtherKey { return known }
      let jwt = try jwt(keyID: "OTHERKEY12")
      knownOtherKey = jwt
      return jwt
    }
  }

  /// A provider token of another key, which the workspace has from now on.
  func jwt(
    keyID: String, teamID: String = Gateway.teamID, topics: [String]? = nil,
    relatedTo related: String? = nil
  ) throws -> TestJWT {
    let key = try PrivateKey.generateP256()
    try credentials.add(
      APNsKey(
        keyID: keyID, teamID: teamID, publicKey: key.publicKey.spki, topics: topics,
        relatedKeyID: related))
    var jwt = TestJWT(key: key)
    jwt.header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
    jwt.claims = #"{"iss":"\#(teamID)","iat":1700000000}"#
    return jwt
  }

  @discardableResult
  func register(
    _ token: String, topic: String = Gateway.topic, environment: APNsEnvironment = .sandbox,
    workspace: WorkspaceID = .default
  ) -> TokenRecord {
    let record = TokenRecord(
      token: Array(token.utf8), kind: .apns, workspace: workspace,
      device: DeviceID("d-\(token.prefix(8))"),
      environment: environment, topic: Array(topic.utf8), app: topic, platform: .ios)
    tokens.register(record)
    return record
  }

  func send(_ push: TestPush) -> TestAnswer {
    if let certificate = push.certificate {
      connection = APNsConnectionState()
      connection.present(
        service.judge(certificate, at: push.receivedAt), in: push.environment)
    }
    return send(push.request)
  }

  func send(_ request: PushRequest) -> TestAnswer {
    answer { response, body in
      service.respond(to: request, connection: connection, response: &response, body: &body)
    }
  }

  /// Has the end of the connection overtake the valid push with a change.
  func refuse(
    overtakenBy cause: APNsService.Overtaking, _ change: (inout TestPush) -> Void = { _ in }
  ) -> TestAnswer {
    var push = validPush
    change(&push)
    return answer { response, body in
      service.refuse(
        push.request, overtakenBy: cause, connection: connection, response: &response, body: &body)
    }
  }

  private func answer(
    _ write: (inout ResponseHead, inout [UInt8]) -> PushOutcome
  ) -> TestAnswer {
    var response = ResponseHead(status: 599, fields: FieldList(["left": "over"]))
    var body = Array("left over".utf8)
    let outcome = write(&response, &body)
    return TestAnswer(
      outcome: outcome, status: response.status,
      fields: response.fields.pairs.map { $0.name + ": " + $0.value },
      body: String(decoding: body, as: UTF8.self))
  }

  /// Sends the valid push with another provider token.
  func send(_ jwt: TestJWT, at time: Timestamp = Gateway.now) -> TestAnswer {
    send {
      $0.set("authorization", "bearer " + jwt.text)
      $0.receivedAt = time
    }
  }

  /// Sends the valid push with a change.
  func send(_ change: (inout TestPush) -> Void) -> TestAnswer {
    var push = validPush
    change(&push)
    return send(push)
  }
}

/// A provider token in every form that libraries send.
struct TestJWT {
  enum Signature: String, CaseIterable {
    case raw
    case der
  }

  enum Encoding: String, CaseIterable {
    case base64url
    case paddedBase64
  }

  let key: PrivateKey
  var header = #"{"alg":"ES256","kid":"\#(Gateway.keyID)"}"#
  var claims = #"{"iss":"\#(Gateway.teamID)","iat":1700000000}"#
  var signature = Signature.raw
  var encoding = Encoding.base64url

  var text: String {
    let input = encode(header.utf8) + "." + encode(claims.utf8)
    let message = Array(input.utf8)
    let bytes = signature == .raw ? key.signES256(message) : key.signES256DER(message)
    return input + "." + encode(bytes)
  }

  private func encode(_ bytes: some Collection<UInt8>) -> String {
    let isURL = encoding == .base64url
    return Base64.encode(bytes, url: isURL, padded: !isURL)
  }
}
