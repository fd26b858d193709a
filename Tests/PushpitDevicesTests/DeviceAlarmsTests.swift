import PushpitModel
import Testing

@testable import PushpitDevices

/// The heap of alarms.
@Suite struct DeviceAlarmsTests {
  private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  private func drained(_ alarms: inout DeviceAlarms, at now: Int64 = .max) -> [String] {
    var names: [String] = []
    while let due = alarms.takeDue(at: moment(now)) { names.append(due.device.rawValue) }
    return names
  }

  @Test func `alarms go off in the order of time, then of setting`() {
    var alarms = DeviceAlarms()
    for (name, time) in [("c", 30), ("a", 10), ("b", 20), ("a2", 10)] as [(String, Int64)] {
      alarms.set(.tokenReady, at: moment(time), of: DeviceID(name))
    }
    #expect(alarms.earliest == moment(10) && alarms.count == 4)
    #expect(drained(&alarms, at: 9) == [])
    #expect(drained(&alarms, at: 20) == ["a", "a2", "b"])
    #expect(drained(&alarms) == ["c"])
    #expect(alarms.earliest == nil && alarms.count == 0 && alarms.entryCount == 0)
  }

  @Test func `a device has one alarm of a kind, the one that was set last`() {
    var alarms = DeviceAlarms()
    alarms.set(.tokenReady, at: moment(10), of: DeviceID("a"))
    alarms.set(.tokenReady, at: moment(20), of: DeviceID("a"))
    #expect(alarms.count == 1)
    #expect(drained(&alarms, at: 10) == [])
    #expect(drained(&alarms, at: 20) == ["a"])
  }

  @Test func `a cancelled alarm does not go off, and can be set again`() {
    var alarms = DeviceAlarms()
    alarms.cancel(.tokenReady, of: DeviceID("a"))
    alarms.set(.tokenReady, at: moment(10), of: DeviceID("a"))
    alarms.cancel(.tokenReady, of: DeviceID("a"))
    #expect(drained(&alarms) == [])
    alarms.set(.tokenReady, at: moment(10), of: DeviceID("a"))
    #expect(drained(&alarms) == ["a"])
  }

  @Test func `what no longer holds never takes more room than what does`() {
    var alarms = DeviceAlarms()
    for round in 0..<10_000 {
      alarms.set(.tokenReady, at: moment(Int64(round)), of: DeviceID("\(round % 100)"))
      #expect(alarms.entryCount <= max(DeviceAlarms.sweepLimit, 2 * alarms.count))
    }
    for device in 0..<100 { alarms.cancel(.tokenReady, of: DeviceID("\(device)")) }
    #expect(alarms.entryCount <= DeviceAlarms.sweepLimit && alarms.count == 0)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `any order of setting and cancelling leaves the order of time`(seed: UInt64) {
    let random = RandomSource(seed: seed)
    var alarms = DeviceAlarms()
    var expected: [Int: Int64] = [:]
    for _ in 0..<2_000 {
      let device = Int(random.next() % 300)
      if random.next() % 3 == 0 {
        alarms.cancel(.tokenReady, of: DeviceID("\(device)"))
        expected[device] = nil
      } else {
        // Each time is another, so that the order is one.
        let time = Int64(random.next() % 1_000_000) * 1_000 + Int64(device)
        alarms.set(.tokenReady, at: moment(time), of: DeviceID("\(device)"))
        expected[device] = time
      }
    }
    let order = expected.sorted { $0.value < $1.value }.map { "\($0.key)" }
    #expect(alarms.count == order.count)
    #expect(drained(&alarms) == order)
  }
}
