internal import PushpitCrypto
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitJSON

/// Sends a push to the APNs side with a provider token of its own.
struct APNsSender {
  private let setup: SenderSetup

  init(_ setup: SenderSetup) {
    self.setup = setup
  }

  /// Sends what the flags say.
  /// - Throws: `UsageError` for missing flags, `CommandFailure` when no answer came.
  func send(_ arguments: ParsedArguments) async throws -> SentPush {
    guard let token = arguments.text("--token") else {
      throw UsageError("send apns needs --token")
    }
    let payload = try payload(arguments)
    var head = RequestHead(
      method: "POST", target: "/3/device/\(PercentCoding.encode(token))",
      authority: setup.gatewayAuthority)
    head.fields.append("authorization", "bearer \(try providerToken())".utf8)
    head.fields.append(
      "apns-topic", (arguments.text("--topic") ?? setup.apnsTopic).utf8)
    head.fields.append("apns-push-type", (arguments.text("--push-type") ?? "alert").utf8)
    for (flag, name) in [
      ("--priority", "apns-priority"), ("--expiration", "apns-expiration"),
      ("--collapse-id", "apns-collapse-id"), ("--id", "apns-id"),
    ] {
      if let text = arguments.text(flag) { head.fields.append(name, text) }
    }
    let response = try await setup.request(head, body: payload, protocols: ["h2"])
    let answer =
      response.head.status == 200
      ? "apns-id \(response.head.fields.text("apns-id") ?? "")"
      : String(decoding: response.body, as: UTF8.self)
    return SentPush(token: token, status: response.head.status, answer: answer)
  }

  private func payload(_ arguments: ParsedArguments) throws -> [UInt8] {
    if let text = arguments.text("--payload") { return try setup.payload(text) }
    var alert = JSONObject()
    if let title = arguments.text("--title") { alert["title"] = .string(title) }
    alert["body"] = .string(arguments.text("--body") ?? "Hello from pushpit")
    return JSONValue.object(
      JSONObject(["aps": .object(JSONObject(["alert": .object(alert)]))])
    ).serialized()
  }

  /// A provider token as Apple describes it in "Establishing a token-based connection to APNs".
  private func providerToken() throws -> String {
    let header = JSONObject(["alg": "ES256", "kid": .string(setup.apnsKeyID)])
    let claims = JSONObject(["iss": .string(setup.apnsTeamID), "iat": .int(setup.nowSeconds)])
    let input = SenderSetup.signingInput(header, claims)
    let pem = try setup.read(setup.apnsKeyFile)
    do throws(CryptoError) {
      let key = try PrivateKey(pem: pem)
      return input + "." + Base64.encode(key.signES256(input.utf8), url: true, padded: false)
    } catch {
      throw CommandFailure("cannot sign with \(setup.apnsKeyFile): \(error)")
    }
  }
}
