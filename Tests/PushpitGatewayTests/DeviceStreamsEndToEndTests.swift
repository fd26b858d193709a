import PushpitHTTPTypes
import PushpitJSON
import Testing

/// Devices' connections over HTTP/2 in clear text, as the console's users open them.
@Suite(.timeLimit(.minutes(5))) struct DeviceStreamsEndToEndTests {
  @Test func `a broken connection of several devices loses and doubles nothing`() async throws {
    try await withGateway { gateway in
      let devices = [try await gateway.makeDevice(), try await gateway.makeDevice()]
      let target =
        "/api/v1/devices/stream?ack=manual&device=" + devices.map(\.id).joined(separator: ",")
      let first = try await gateway.follow(target)
      for device in devices {
        #expect(try await gateway.push(device.apns, title: "one").head.status == 200)
      }
      #expect(try await first.titles(2) == ["one", "one"])
      let answer = try await gateway.call(
        "POST", "/api/v1/devices/\(devices[0].id)/ack", body: ["upTo": 1])
      #expect(answer.json["stored"] == 0)
      await first.close()
      try await gateway.waitUntilOffline(devices[1])
      // iOS: one is stored for each, beside what was sent and not acknowledged.
      for device in devices {
        #expect(try await gateway.push(device.apns, title: "two").head.status == 200)
      }
      let second = try await gateway.follow(target)
      #expect(try await second.titles(3).sorted() == ["one", "two", "two"])
      for device in devices {
        _ = try await gateway.call(
          "POST", "/api/v1/devices/\(device.id)/ack",
          body: ["upTo": device.id == devices[0].id ? 3 : 2])
        let shown = try await gateway.call("GET", "/api/v1/devices/\(device.id)").json
        #expect(shown["stored"] == 0)
        let inbox = shown["inbox"]?.arrayValue ?? []
        #expect(inbox.compactMap { $0["title"]?.stringValue } == ["one", "two"])
        #expect(inbox.allSatisfy { $0["state"] == "displayed" })
      }
      await second.close()
    }
  }
}

extension TestGateway {
  /// Asks again until the gateway has seen the end of a device's connection.
  fileprivate func waitUntilOffline(_ device: TestDevice) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if try await call("GET", "/api/v1/devices/\(device.id)").json["online"] == false { return }
    }
    Issue.record("the device stays online")
  }
}
