internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON

/// Sends a message to the FCM side: first an access token for the service account, then the message.
struct FCMSender {
  private let setup: SenderSetup

  init(_ setup: SenderSetup) {
    self.setup = setup
  }

  /// Sends what the flags say.
  /// - Throws: `UsageError` for a payload that is no JSON, `CommandFailure` when no answer came.
  func send(_ arguments: ParsedArguments) async throws -> SentPush {
    let account = try setup.serviceAccount()
    let bearer = try await accessToken(account)
    let project = arguments.text("--project") ?? account.projectID
    var head = RequestHead(
      method: "POST", target: "/v1/projects/\(PercentCoding.encode(project))/messages:send",
      authority: setup.gatewayAuthority)
    head.fields.append("authorization", "Bearer \(bearer)".utf8)
    head.fields.append("content-type", "application/json".utf8)
    let body = JSONValue.object(JSONObject(["message": try message(arguments)])).serialized()
    let response = try await setup.request(head, body: body, protocols: ["h2", "http/1.1"])
    let value = try? JSONReader.parse(response.body)
    let answer =
      value?["name"]?.stringValue
      ?? value.map { String(decoding: $0.serialized(), as: UTF8.self) }
      ?? String(decoding: response.body, as: UTF8.self)
    return SentPush(
      token: arguments.text("--token") ?? "", status: response.head.status, answer: answer)
  }

  private func message(_ arguments: ParsedArguments) throws -> JSONValue {
    if let text = arguments.text("--payload") {
      let bytes = try setup.payload(text)
      do throws(JSONSyntaxError) {
        return try JSONReader.parse(bytes)
      } catch {
        throw UsageError("--payload is no JSON: \(error)")
      }
    }
    var message = JSONObject()
    for (flag, field) in [("--token", "token"), ("--topic", "topic")] {
      if let text = arguments.text(flag) { message[field] = .string(text) }
    }
    var notification = JSONObject()
    if let title = arguments.text("--title") { notification["title"] = .string(title) }
    notification["body"] = .string(arguments.text("--body") ?? "Hello from pushpit")
    message["notification"] = .object(notification)
    return .object(message)
  }

  /// The JWT bearer grant of RFC 7523 section 2.1, as every Google library does it.
  private func accessToken(_ account: SenderSetup.Account) async throws -> String {
    let header = JSONObject(["alg": "RS256", "typ": "JWT", "kid": .string(account.privateKeyID)])
    let claims = JSONObject([
      "iss": .string(account.clientEmail),
      "scope": "https://www.googleapis.com/auth/firebase.messaging",
      "aud": "https://oauth2.googleapis.com/token",
      "iat": .int(setup.nowSeconds), "exp": .int(setup.nowSeconds + 3600),
    ])
    let input = SenderSetup.signingInput(header, claims)
    let signature: [UInt8]
    do throws(CryptoError) {
      signature = try PrivateKey(pem: Array(account.privateKey.utf8)).signRS256(input.utf8)
    } catch {
      throw CommandFailure("cannot sign with the service account's key: \(error)")
    }
    let assertion = input + "." + Base64.encode(signature, url: true, padded: false)
    let grant = PercentCoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
    var head = RequestHead(method: "POST", target: "/token", authority: setup.gatewayAuthority)
    head.fields.append("content-type", "application/x-www-form-urlencoded".utf8)
    let response = try await setup.request(
      head, body: Array("grant_type=\(grant)&assertion=\(assertion)".utf8),
      protocols: ["h2", "http/1.1"])
    let answer = try? JSONReader.parse(response.body)
    guard let token = answer?["access_token"]?.stringValue else {
      let why = answer?["error_description"]?.stringValue ?? "status \(response.head.status)"
      throw CommandFailure("the gateway gave no access token: \(why)")
    }
    return token
  }
}
