import PushpitModel
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0), ("2026-01-15T01:30:15.010Z", 1_768_440_615_010),
    ("2000-02-29T23:59:59.999Z", 951_868_799_999), ("1969-12-31T23:59:59.999Z", -1),
  ])
  func `a moment is written and read in RFC 3339`(text: String, milliseconds: Int64) {
    let moment = Timestamp(milliseconds: milliseconds)
    #expect(moment.rfc3339 == text)
    #expect(Timestamp(rfc3339: text) == moment)
  }

  @Test(arguments: [
    "2026-01-15T01:30:15Z", "2026-01-15T02:30:15+01:00", "2026-01-14t20:30:15-05:00",
    "2026-01-15 01:30:15.000000z",
  ])
  func `offsets and fractions are understood`(text: String) {
    #expect(Timestamp(rfc3339: text) == Timestamp(milliseconds: 1_768_440_615_000))
  }

  @Test(arguments: [
    "", "2026", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T24:00:00Z",
    "2026-02-31T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
    "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00+1", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:0",
  ])
  func `what is no time is refused`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `seconds are rounded down on both sides of 1970`() {
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
    #expect(Timestamp(milliseconds: -1).seconds == -1)
  }

  @Test func `a clock with an offset runs and a frozen one stands`() {
    var clock = WorkspaceClock()
    let real = Timestamp(milliseconds: 1000)
    #expect(clock.time(at: real) == real)
    clock.offset = .seconds(61)
    #expect(clock.time(at: real) == Timestamp(milliseconds: 62_000))
    clock.frozenAt = Timestamp(milliseconds: 5)
    #expect(clock.time(at: real) == Timestamp(milliseconds: 5))
  }
}
