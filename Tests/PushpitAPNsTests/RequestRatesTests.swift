import PushpitModel
import Testing

@testable import PushpitAPNs

/// Apple: TooManyRequests "consecutively to the same device token"; no number is known.
@Suite struct RequestRatesTests {
  @Test func `more pushes in a second than the workspace allows are 429`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.requestsPerSecond = 3
    func statuses(at time: Timestamp) -> [Int] {
      (0..<4).map { _ in gateway.send { $0.receivedAt = time }.status }
    }
    #expect(statuses(at: Gateway.now) == [200, 200, 200, 429])
    #expect(statuses(at: Gateway.now + .milliseconds(999)) == [429, 429, 429, 429])
    #expect(statuses(at: Gateway.now + .seconds(1)) == [200, 200, 200, 429])
    let answer = gateway.send { $0.receivedAt = Gateway.now + .seconds(1) }
    #expect(answer.body == #"{"reason":"TooManyRequests"}"#)
    #expect(answer.code == .deviceTokenRateExceeded)
    #expect(answer.outcome.recipient == nil)
  }

  @Test func `each device token counts for itself, in either case of its letters`() throws {
    let gateway = try Gateway()
    gateway.workspaces.default.apns.requestsPerSecond = 1
    #expect(gateway.send(gateway.validPush).status == 200)
    #expect(gateway.send { $0.setToken(String(repeating: "ab", count: 32)) }.status == 200)
    #expect(gateway.send { $0.setToken(Gateway.deviceToken.uppercased()) }.status == 429)
  }

  @Test func `without a limit nothing is counted`() throws {
    let gateway = try Gateway()
    for _ in 0..<50 { #expect(gateway.send(gateway.validPush).status == 200) }
    #expect(gateway.service.requestRates.count == 0)
  }

  @Test func `a full table makes room, first of what is over`() {
    var rates = RequestRates()
    func add(_ number: Int, at time: Timestamp) -> Bool {
      rates.allows(Array("\(number)".utf8), of: .default, perSecond: 1, at: time)
    }
    for number in 0..<RequestRates.limit {
      #expect(add(number, at: number == 0 ? Gateway.now : Gateway.now + .milliseconds(500)))
    }
    let later = Gateway.now + .seconds(1)
    #expect(add(-1, at: later))
    #expect(rates.count == RequestRates.limit)
    #expect(!add(1, at: later))
    #expect(add(0, at: later))
    #expect(add(1, at: later))
    #expect(rates.count == RequestRates.limit)
  }
}
