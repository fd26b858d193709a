import PushpitHTTP
import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitGateway

/// How many streams at once an HTTP/2 peer is told it may open.
@Suite(.timeLimit(.minutes(5))) struct StreamLimitTests {
  private let token = String(repeating: "0a1b2c3d", count: 8)

  /// Sends requests over one clear HTTP/2 connection, one after the other, and returns the stream
  /// limits that the server announced.
  private func limits(
    _ gateway: TestGateway, _ heads: [RequestHead]
  ) async throws -> (limits: [Int], statuses: [Int]) {
    let port = gateway.report.gatewayPort
    return try await onThread {
      guard let socket = BlockingSocket(port: port) else { return ([], []) }
      let session = try HTTP2ClientSession()
      var limits: [Int] = []
      var statuses: [Int] = []
      for head in heads {
        _ = session.submit(head, body: Array("{}".utf8))
        let wanted = statuses.count + 1
        repeat {
          var output: [UInt8] = []
          session.takeOutput(into: &output, limit: 65_536)
          socket.send(output)
          let piece = socket.read()
          if piece.isEmpty { return (limits, statuses) }
          piece.withUnsafeBufferPointer(session.feed)
          for event in session.takeEvents() {
            if case .streamLimit(let limit) = event { limits.append(limit) }
            if case .head(_, let head, _) = event { statuses.append(head.status) }
          }
        } while statuses.count < wanted
      }
      return (limits, statuses)
    }
  }

  // Apple: "APNs allows only one stream until you post a request with a valid authentication token".
  @Test func `one stream until the first valid provider token, then 1000`() async throws {
    try await withGateway { gateway in
      let provider = try gateway.providerToken()
      let bad = gateway.apnsHead(token, authorization: provider.dropLast(8) + "AAAAAAAA")
      let good = gateway.apnsHead(token, authorization: provider)
      let seen = try await limits(gateway, [bad, good, good])
      #expect(seen.statuses == [403, 200, 200])
      #expect(seen.limits == [1, 1000])
    }
  }

  @Test(arguments: [GatewayConfiguration.StreamPolicy.apple, .throttle])
  func `the first request to Google's side raises the limit`(
    policy: GatewayConfiguration.StreamPolicy
  ) async throws {
    try await withGateway {
      $0.streams = policy
    } _: { gateway in
      let head = RequestHead(method: "GET", target: "/nothing", authority: gateway.authority)
      let seen = try await limits(gateway, [head, head])
      #expect(seen.statuses == [404, 404])
      #expect(seen.limits == [1, VendorConnection.googleStreamLimit])
    }
  }

  // Observed 2016 and 2017: 1 after a rejected push, the old limit after the next accepted one.
  @Test func `with throttle a rejected push brings the limit down until one is accepted`()
    async throws
  {
    try await withGateway {
      $0.streams = .throttle
    } _: { gateway in
      let provider = try gateway.providerToken()
      let good = gateway.apnsHead(token, authorization: provider)
      let bad = gateway.apnsHead("aaaa", authorization: provider)
      let seen = try await limits(gateway, [good, bad, bad, good])
      #expect(seen.statuses == [200, 400, 400, 200])
      #expect(seen.limits == [1, 1000, 1, 1000])
    }
  }

  @Test func `a fixed limit is announced first and stays`() async throws {
    try await withGateway {
      $0.streams = .fixed(7)
    } _: { gateway in
      let good = gateway.apnsHead(token, authorization: try gateway.providerToken())
      let seen = try await limits(gateway, [good, good])
      #expect(seen.statuses == [200, 200])
      #expect(Set(seen.limits) == [7])
    }
  }
}
