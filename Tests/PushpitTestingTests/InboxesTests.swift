import PushpitGateway
import PushpitNetwork
import Testing

@testable import PushpitTesting

@Suite(.timeLimit(.minutes(5))) struct InboxesTests {
  @Test func `a gateway that has stopped is freed with its loop`() async throws {
    weak var gateway: Gateway?
    weak var inboxes: Inboxes?
    weak var loop: EventLoop?
    try await withGateway { running in
      let phone = try await running.device(.ios, firebase: true)
      try await running.sender.send(APNsPush(to: phone.apnsToken, title: "Hello", body: ""))
      try await running.sender.send(FCMMessage(to: phone.registrationToken, title: "Hello"))
      try await phone.expectPush()
      gateway = (running.backend as? LocalGateway)?.gateway
      inboxes = running.backend.inboxes
      loop = running.backend.loop
      #expect(gateway != nil)
    }
    // The loop's thread lets go of the last job after this task has gone on.
    while gateway != nil || inboxes != nil || loop != nil { await Task.yield() }
  }

  @Test func `the oldest pushes go when nobody expects them`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      for number in 0...Inboxes.pushLimit {
        try await gateway.sender.send(
          APNsPush(to: phone.apnsToken, title: "\(number)", body: ""))
      }
      #expect(try await phone.expectPush().title == "1")
    }
  }

  @Test func `a wait beyond all limits is cut`() async throws {
    try await withGateway { gateway in
      let phone = try await gateway.device(.ios)
      async let push = phone.expectPush(within: .seconds(Int64.max))
      try await gateway.sender.send(APNsPush(to: phone.apnsToken, title: "Hello", body: ""))
      #expect(try await push.title == "Hello")
    }
  }
}
