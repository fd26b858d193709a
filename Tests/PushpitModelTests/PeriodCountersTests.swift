import Testing

@testable import PushpitModel

@Suite struct PeriodCountersTests {
  private static let start = Timestamp(milliseconds: 1_790_000_000_000)

  private func at(_ milliseconds: Int64) -> Timestamp {
    Self.start + .milliseconds(milliseconds)
  }

  @Test func `a period begins with its first event and has so many`() {
    var counters = PeriodCounters<String>(period: .seconds(60), limit: 10)
    #expect(counters.count("a", upTo: 2, at: at(0)) == nil)
    #expect(counters.count("a", upTo: 2, at: at(10_000)) == nil)
    #expect(counters.count("a", upTo: 2, at: at(10_001)) == .milliseconds(49_999))
    #expect(counters.count("b", upTo: 2, at: at(10_001)) == nil)
    #expect(counters.count("a", upTo: 2, at: at(60_000)) == nil)
    #expect(counters.count("a", upTo: 0, at: at(120_000)) == .seconds(60))
  }

  @Test func `keys can be forgotten, and begin anew`() {
    var counters = PeriodCounters<String>(period: .seconds(60), limit: 2)
    for key in ["a", "b"] { _ = counters.count(key, upTo: 1, at: at(0)) }
    counters.removeAll { $0 == "a" }
    #expect(counters.count == 1)
    #expect(counters.count("a", upTo: 1, at: at(1)) == nil)
    #expect(counters.count("b", upTo: 1, at: at(1)) != nil)
  }

  @Test func `a clock that was put back begins a new period`() {
    var counters = PeriodCounters<String>(period: .seconds(1), limit: 10)
    #expect(counters.count("a", upTo: 1, at: at(5_000)) == nil)
    #expect(counters.count("a", upTo: 1, at: at(0)) == nil)
    #expect(counters.count("a", upTo: 1, at: at(1)) != nil)
  }

  @Test func `what has ended makes room first, then what began first`() {
    var counters = PeriodCounters<Int>(period: .seconds(1), limit: 3)
    for key in 0..<3 { #expect(counters.count(key, upTo: 1, at: at(Int64(key) * 400)) == nil) }
    // 0 has ended, so 1 and 2 stay known.
    #expect(counters.count(3, upTo: 1, at: at(1_100)) == nil)
    #expect(counters.count == 3)
    for key in 1...3 { #expect(counters.count(key, upTo: 1, at: at(1_200)) != nil) }
    // None has ended: 1 is forgotten.
    #expect(counters.count(4, upTo: 1, at: at(1_300)) == nil)
    #expect(counters.count == 3)
    #expect(counters.count(2, upTo: 1, at: at(1_300)) != nil)
  }

  @Test func `a period that began anew is as young as it is`() {
    var counters = PeriodCounters<Int>(period: .seconds(1), limit: 2)
    #expect(counters.count(0, upTo: 1, at: at(0)) == nil)
    #expect(counters.count(1, upTo: 1, at: at(900)) == nil)
    #expect(counters.count(0, upTo: 1, at: at(1_000)) == nil)
    #expect(counters.count(2, upTo: 1, at: at(1_100)) == nil)
    #expect(counters.count(0, upTo: 1, at: at(1_200)) != nil)
  }

  @Test func `no more are ever kept than the limit`() {
    var counters = PeriodCounters<Int>(period: .seconds(1), limit: 100)
    for number in 0..<10_000 {
      // Back and forth in time too.
      let time = at(Int64(number) * 3 - (number % 7 == 0 ? 5_000 : 0))
      _ = counters.count(number % 250, upTo: 1, at: time)
      #expect(counters.count <= 100)
    }
  }
}
