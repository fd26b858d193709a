internal import PushpitDevices
internal import PushpitHTTP
internal import PushpitHTTPTypes
internal import PushpitNetwork

/// One try to send a callback: resolve, look at the addresses, connect to one of them, ask.
struct CallbackExchange: Sendable {
  /// The largest body of an answer, which nobody reads.
  static let answerLimit = 1 << 20

  /// What came of a try.
  enum Result: Sendable, Equatable {
    case answered(Int)
    /// The target is not allowed.
    case refused(String)
    /// Nobody was reached.
    case unreached(String)
    case timedOut(Duration)
    /// The exchange broke off, and the other side may have acted on it.
    case failed(String)

    /// Whether another try may help: nobody was reached, or said that it failed.
    ///
    /// Whoever is slow may have acted on it, and is not told twice.
    var isWorthAnotherTry: Bool {
      switch self {
      case .answered(let status): status >= 500
      case .refused, .failed, .timedOut: false
      case .unreached: true
      }
    }

    /// What a device's history says of it.
    func outcome(_ number: Int) -> CallbackOutcome {
      switch self {
      case .answered(let status) where (300..<400).contains(status):
        CallbackOutcome(number: number, status: status, error: "redirects are not followed")
      case .answered(let status): CallbackOutcome(number: number, status: status)
      case .refused(let text), .unreached(let text), .failed(let text):
        CallbackOutcome(number: number, error: text)
      case .timedOut(let limit):
        CallbackOutcome(number: number, error: "no answer within \(limit.components.seconds) s")
      }
    }
  }

  let loop: EventLoop
  let rules: CallbackTargetRules
  /// PEM of the gateway's own authority, trusted beside the system's.
  let authority: [UInt8]
  /// How long one try may take.
  let timeLimit: Duration

  /// Sends a callback once; on the loop's thread.
  func result(of request: CallbackRequest) async -> Result {
    if let refusal = rules.refusal(ofHost: request.host) { return .refused(refusal) }
    let found: [IPAddress]
    do throws(NetworkError) {
      found = try await NameResolver.addresses(of: request.host, loop)
    } catch {
      return .unreached(error.description)
    }
    var result = Result.unreached("\(request.host) has no address")
    for address in found {
      // The time limit or the end of the gateway came first.
      guard !Task.isCancelled else { return result }
      if let refusal = rules.refusal(of: address, host: request.host) {
        if case .unreached = result { result = .refused(refusal) }
        continue
      }
      result = await self.result(of: request, at: address)
      guard case .unreached = result else { return result }
    }
    return result
  }

  private func result(of request: CallbackRequest, at address: IPAddress) async -> Result {
    let client: HTTPClient
    do throws(HTTPClientError) {
      client = try await HTTPClient.connect(
        to: address.description, port: request.port, options(request), loop: loop)
    } catch {
      if case .network = error { return .unreached(error.description) }
      return .failed(error.description)
    }
    let result: Result
    do throws(HTTPClientError) {
      let answer = try await client.request(
        head(request), body: request.body, timeLimit: timeLimit)
      result = .answered(answer.head.status)
    } catch {
      result = .failed(error.description)
    }
    await client.close()
    return result
  }

  private func options(_ request: CallbackRequest) -> ClientOptions {
    var options = ClientOptions()
    options.connectTimeLimit = timeLimit
    options.bodyLimit = Self.answerLimit
    guard request.isSecure else { return options }
    var tls = ClientOptions.TLS(authorities: authority)
    tls.trustsSystem = true
    tls.serverName = request.host
    options.tls = tls
    return options
  }

  private func head(_ request: CallbackRequest) -> RequestHead {
    var head = RequestHead(
      method: request.method.rawValue, target: request.target, authority: request.authority,
      scheme: request.isSecure ? "https" : "http")
    for field in request.fields { head.fields.append(field.name, field.value) }
    if head.fields.first("user-agent") == nil {
      head.fields.append("user-agent", "pushpit/\(Gateway.version)")
    }
    return head
  }
}
