import PushpitModel
import Testing

@Suite struct WorkspaceClockTests {
  private let real = Timestamp(milliseconds: 1_700_000_000_000)

  /// The clock after some changes at the real moment.
  private func clock(_ changes: WorkspaceClock.Change...) throws -> WorkspaceClock {
    try changes.reduce(WorkspaceClock()) { try #require($0.changed($1, at: real)) }
  }

  @Test func `a new clock shows real time`() {
    #expect(WorkspaceClock().time(at: real) == real)
  }

  @Test func `it jumps forward and goes on`() throws {
    let clock = try clock(.advance(.seconds(60)), .advance(.seconds(3600)))
    #expect(clock.time(at: real) == real + .seconds(3660))
    #expect(clock.time(at: real + .seconds(1)) == real + .seconds(3661))
  }

  @Test func `it is set, also to the past`() throws {
    let past = Timestamp(milliseconds: 1_000)
    let clock = try clock(.set(past))
    #expect(clock.time(at: real + .seconds(1)) == past + .seconds(1))
  }

  @Test func `it stands when it is frozen, and can be moved all the same`() throws {
    let clock = try clock(.advance(.seconds(1)), .freeze, .advance(.seconds(2)))
    for later in [0, 9000] {
      #expect(clock.time(at: real + .seconds(later)) == real + .seconds(3))
    }
    #expect(clock.frozenAt != nil)
  }

  @Test func `it goes on from where it stood`() throws {
    let later = real + .seconds(100)
    let clock = try #require(try clock(.freeze).changed(.unfreeze, at: later))
    #expect(clock.time(at: later + .seconds(1)) == real + .seconds(1))
  }

  @Test func `it is reset to real time`() throws {
    #expect(try clock(.advance(.seconds(1)), .freeze, .reset) == WorkspaceClock())
  }

  @Test(arguments: [
    WorkspaceClock.Change.advance(.seconds(1_000_000_000 * 3600)),
    .advance(.milliseconds(Int64.max)), .set(Timestamp(milliseconds: -1)),
    .set(Timestamp(milliseconds: 253_402_300_800_000)),
  ])
  func `it stays between 1970 and 9999`(change: WorkspaceClock.Change) {
    #expect(WorkspaceClock().changed(change, at: real) == nil)
  }
}
