import PushpitHTTP
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitGateway

/// Pushes on their way to a device.
@Suite(.timeLimit(.minutes(5))) struct DeviceEndToEndTests {
  @Test func `pushes reach an online device in order`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let feed = try await gateway.follow(device)
      for title in ["one", "two", "three"] {
        #expect(try await gateway.push(device.apns, title: title).head.status == 200)
      }
      #expect(try await feed.titles(3) == ["one", "two", "three"])
      let deliveries = try await gateway.lastEnvelope()["deliveries"]?.arrayValue
      #expect(deliveries?.first?["state"]?.stringValue == "displayed")
      let history = try #require(deliveries?.first?["history"]?.arrayValue)
      #expect(history.compactMap { $0["state"]?.stringValue } == ["delivered", "displayed"])
      await feed.close()
    }
  }

  @Test func `a push stored for an offline device comes first when its stream opens`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice(["platform": "android"])
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      func send(_ title: JSONValue) async throws {
        let sent = try await gateway.send(
          ["token": .string(device.fcm), "notification": ["title": title]], client,
          bearer: bearer)
        #expect(sent.status == 200)
      }
      try await send("stored")
      let before = try await gateway.lastEnvelope().pointer("/deliveries/0/state")?.stringValue
      #expect(before == "stored")
      let feed = try await gateway.follow(device)
      try await send("live")
      #expect(try await feed.titles(2) == ["stored", "live"])
      await feed.close()
    }
  }

  @Test func `an uninstalled app is 410 with the time since when`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let before = SystemTime().now
      _ = try await gateway.call("POST", "/api/v1/devices/\(device.id)/uninstall")
      let answer = try await gateway.push(device.apns)
      #expect(answer.head.status == 410)
      let body = try JSONReader.parse(answer.body)
      #expect(body["reason"]?.stringValue == "Unregistered")
      let since = try #require(body["timestamp"]?.intValue)
      #expect(since >= before.milliseconds && since <= SystemTime().now.milliseconds)
      #expect(body.objectValue?.members.count == 2)
    }
  }

  @Test func `1,000 pushes in flight are accepted, recorded and delivered in one order`()
    async throws
  {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      let feed = try await gateway.follow(device)
      let client = try await gateway.connect()
      let provider = try gateway.providerToken()
      let ids: [String] = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<1_000 {
          let head = gateway.apnsHead(device.apns, authorization: provider)
          let body = gateway.apnsPayload("push \(number)")
          group.addTask {
            let answer = try await client.request(head, body: body, timeLimit: .seconds(60))
            return answer.head.status == 200 ? answer.head.fields.text("apns-id") : nil
          }
        }
        return try await group.reduce(into: [String]()) { ids, id in
          if let id { ids.append(id) }
        }
      }
      #expect(ids.count == 1_000 && Set(ids).count == 1_000)
      let envelopes = try await gateway.envelopes("service=apns")
      let sequences: [Int] = envelopes.compactMap { $0["sequence"]?.intValue }
      #expect(sequences == [Int](1...1_000))
      let streams: [Int] = envelopes.compactMap { $0["stream"]?.intValue }
      #expect(streams.count == 1_000 && streams == streams.sorted())
      let recorded: [String] = envelopes.compactMap { $0["apnsID"]?.stringValue }
      #expect(recorded.count == 1_000 && Set(recorded) == Set(ids))
      let pushes = try await feed.pushes(1_000)
      let delivered: [String] = pushes.compactMap { $0.data["envelope"]?.stringValue }
      let accepted: [String] = envelopes.compactMap { $0["id"]?.stringValue }
      #expect(delivered.count == 1_000 && delivered == accepted)
      let eventIDs: [Int] = pushes.compactMap { Int($0.id) }
      #expect(eventIDs.count == 1_000 && eventIDs == eventIDs.sorted())
      await feed.close()
    }
  }

  @Test func `envelopes are found by every filter`() async throws {
    try await withGateway { gateway in
      let device = try await gateway.makeDevice()
      _ = try await gateway.push(device.apns, fields: ["apns-collapse-id": "c1"])
      _ = try await gateway.push("abc")
      let client = try await gateway.connect()
      let bearer = try await gateway.accessToken(client)
      _ = try await gateway.send(["topic": "news"], client, bearer: bearer)
      for (query, count) in [
        ("", 4), ("service=apns", 2), ("service=oauth", 1), ("service=fcm", 1),
        ("outcome=accepted", 3),
        ("outcome=rejected", 1), ("reason=BadDeviceToken", 1), ("diagnosis=token-not-hex", 1),
        ("token=\(device.apns)", 1), ("topic=com.example.app", 2), ("topic=com.other", 0),
        ("project=pushpit-local", 1), ("device=\(device.id)", 1), ("collapse=c1", 1),
        ("q=World", 2), ("service=apns&outcome=accepted", 1),
      ] {
        #expect(try await gateway.envelopes(query).count == count, "\(query)")
      }
      let problem = try await gateway.call("GET", "/api/v1/envelopes?topc=x")
      #expect(problem.status == 400)
      #expect(try await gateway.call("DELETE", "/api/v1/envelopes?service=apns").status == 204)
      #expect(try await gateway.envelopes().count == 2)
    }
  }
}
