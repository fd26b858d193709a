import PushpitCrypto
import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Pushes as providers send them.
extension TestGateway {
  static let topic = "com.example.app"

  /// A provider token as Apple describes it, by the gateway's own key unless another is given.
  func providerToken(
    key pem: [UInt8]? = nil, keyID: String? = nil, teamID: String? = nil
  ) throws -> String {
    let own = folder.defaults.apnsKey
    let header: JSONValue = ["alg": "ES256", "kid": .string(keyID ?? own.keyID)]
    let claims: JSONValue = [
      "iss": .string(teamID ?? own.teamID), "iat": .int(SystemTime().now.seconds),
    ]
    let key = try PrivateKey(pem: pem ?? FileSystem.contents(of: folder.paths.apnsKey(own.keyID)))
    let input = signingInput(header, claims)
    return input + "." + Base64.encode(key.signES256(input.utf8), url: true, padded: false)
  }

  /// The head of a push to APNs that is valid unless fields say otherwise.
  func apnsHead(
    _ token: String, authorization: String, authority: String? = nil,
    fields: KeyValuePairs<String, String> = [:]
  ) -> RequestHead {
    var head = RequestHead(
      method: "POST", target: "/3/device/\(token)", authority: authority ?? self.authority)
    head.fields.append("authorization", "bearer \(authorization)")
    head.fields.append("apns-topic", Self.topic)
    head.fields.append("apns-push-type", "alert")
    for (name, value) in fields { head.fields.append(name, value) }
    return head
  }

  /// Sends one push to APNs on a connection of its own.
  func push(
    _ token: String, title: String = "Hello", authorization: String? = nil,
    authority: String? = nil, port: Int? = nil, fields: KeyValuePairs<String, String> = [:],
    beside: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> Response {
    let client = try await connect(port: port)
    let head = apnsHead(
      token, authorization: try authorization ?? providerToken(), authority: authority,
      fields: fields)
    let answer = try await client.request(head, body: apnsPayload(title, beside))
    await client.close()
    return answer
  }

  func apnsPayload(
    _ title: String, _ beside: KeyValuePairs<String, JSONValue> = [:]
  ) -> [UInt8] {
    var payload = JSONObject(["aps": ["alert": ["title": .string(title), "body": "World"]]])
    for (key, value) in beside { payload[key] = value }
    return JSONValue.object(payload).serialized()
  }

  /// An assertion of the service account of a file, the default one unless another is given.
  func assertion(_ account: JSONValue? = nil) throws -> String {
    let file =
      try account ?? JSONReader.parse(FileSystem.contents(of: folder.paths.serviceAccount))
    let now = SystemTime().now.seconds
    let header: JSONValue = [
      "alg": "RS256", "typ": "JWT", "kid": file["private_key_id"] ?? .null,
    ]
    let claims: JSONValue = [
      "iss": file["client_email"] ?? .null, "aud": file["token_uri"] ?? .null,
      "scope": "https://www.googleapis.com/auth/firebase.messaging", "iat": .int(now),
      "exp": .int(now + 3600),
    ]
    let pem = Array((file["private_key"]?.stringValue ?? "").utf8)
    let input = signingInput(header, claims)
    return input + "."
      + Base64.encode(try PrivateKey(pem: pem).signRS256(input.utf8), url: true, padded: false)
  }

  /// Gets an access token as Google's libraries do.
  func accessToken(_ client: HTTPClient, account: JSONValue? = nil) async throws -> String {
    let grant = PercentCoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
    let head = RequestHead(
      method: "POST", target: "/token", authority: authority,
      fields: ["content-type": "application/x-www-form-urlencoded"])
    let answer = try await client.request(
      head, body: Array("grant_type=\(grant)&assertion=\(try assertion(account))".utf8))
    #expect(answer.head.status == 200)
    return try #require(try JSONReader.parse(answer.body)["access_token"]?.stringValue)
  }

  /// Sends a message to FCM.
  func send(
    _ message: JSONValue, _ client: HTTPClient, bearer: String, project: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let project = project ?? folder.defaults.serviceAccount.projectID
    let head = RequestHead(
      method: "POST", target: "/v1/projects/\(project)/messages:send", authority: authority,
      fields: ["authorization": "Bearer \(bearer)", "content-type": "application/json"])
    let body = JSONValue.object(JSONObject(["message": message])).serialized()
    let answer = try await client.request(head, body: body)
    return (answer.head.status, (try? JSONReader.parse(answer.body)) ?? .null)
  }

  private func signingInput(_ header: JSONValue, _ claims: JSONValue) -> String {
    [header, claims].map {
      Base64.encode($0.serialized(), url: true, padded: false)
    }.joined(separator: ".")
  }
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
  /// The names of its fields in order.
  var names: [String] { head.fields.pairs.map(\.name) }
}
