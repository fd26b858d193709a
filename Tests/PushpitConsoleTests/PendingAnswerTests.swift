import PushpitHTTPTypes
import Testing

@testable import PushpitConsole

@Suite struct PendingAnswerTests {
  private let answer = PendingAnswer()
  private let log = Log()

  private final class Log {
    var statuses: [Int] = []
    var abandonedCount = 0
  }

  private func send() { answer.sendBy { [log] in log.statuses.append($0.head.status) } }

  @Test func `an answer is sent once, whenever it was given`() {
    answer.give(Response(status: 201))
    #expect(!answer.isWaiting)
    send()
    answer.give(Response(status: 202))
    send()
    #expect(log.statuses == [201])
  }

  @Test func `an answer that is given later is sent at once`() {
    send()
    #expect(log.statuses.isEmpty && answer.isWaiting)
    answer.give(Response(status: 200))
    #expect(log.statuses == [200])
  }

  @Test func `who made it is told when the peer has gone, unless it was answered`() {
    answer.whenAbandoned = { [log] in log.abandonedCount += 1 }
    send()
    answer.stop()
    answer.stop()
    #expect(log.abandonedCount == 1 && !answer.isWaiting)
    answer.give(Response())
    #expect(log.statuses.isEmpty)

    let answered = PendingAnswer()
    answered.whenAbandoned = { [log] in log.abandonedCount += 1 }
    answered.give(Response())
    answered.stop()
    #expect(log.abandonedCount == 1)
  }
}
