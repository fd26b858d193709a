import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct EventHubTests {
  private final class Listener: EventSubscriber {
    var events: [Event] = []

    func received(_ event: Event) { events.append(event) }
  }

  private func post(_ hub: EventHub, _ numbers: ClosedRange<EnvelopeNumber>) {
    for number in numbers {
      hub.post(.envelope(number), workspace: .default, at: Timestamp(milliseconds: 1))
    }
  }

  @Test func `subscribers get events in order until they unsubscribe`() {
    let hub = EventHub()
    let listener = Listener()
    post(hub, 1...1)
    #expect(hub.subscribe(listener))
    post(hub, 2...3)
    hub.unsubscribe(listener)
    post(hub, 4...4)
    #expect(listener.events.map(\.id) == [2, 3])
    #expect(listener.events.map(\.subject) == [.envelope(2), .envelope(3)])
    #expect(hub.newestID == 4)
  }

  @Test func `the history remembers the newest events`() {
    let hub = EventHub(historyLimit: 3)
    #expect(hub.oldestID == 1)
    #expect(hub.event(0) == nil)
    post(hub, 1...5)
    #expect(hub.oldestID == 3)
    #expect(hub.event(2) == nil)
    #expect(hub.event(3)?.subject == .envelope(3))
    #expect(hub.event(5)?.subject == .envelope(5))
    #expect(hub.event(6) == nil)
  }

  @Test func `there is a limit to subscribers`() {
    let hub = EventHub()
    let listeners = (0...EventHub.subscriberLimit).map { _ in Listener() }
    let taken = listeners.map { hub.subscribe($0) }
    #expect(taken.dropLast().allSatisfy { $0 })
    #expect(taken.last == false)
  }

  @Test func `a subscriber may unsubscribe while it is told`() {
    final class Once: EventSubscriber {
      let hub: EventHub
      var count = 0
      init(_ hub: EventHub) { self.hub = hub }
      func received(_ event: Event) {
        count += 1
        hub.unsubscribe(self)
      }
    }
    let hub = EventHub()
    let once = Once(hub)
    let other = Listener()
    #expect(hub.subscribe(once) && hub.subscribe(other))
    post(hub, 1...2)
    #expect(once.count == 1)
    #expect(other.events.count == 2)
  }
}
