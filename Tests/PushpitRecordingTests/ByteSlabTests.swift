import Testing

@testable import PushpitRecording

@Suite struct ByteSlabTests {
  @Test func `records of one chunk lie end to end and are given back together`() {
    var slab = ByteSlab(byteLimit: 64 << 10)
    _ = slab.reserve(100)
    let first = slab.commit(60)
    _ = slab.reserve(100)
    let second = slab.commit(100)
    #expect(first.offset == 0)
    #expect(second.offset == 60)
    #expect(first.chunk == second.chunk)
    let full = slab.heldByteCount
    slab.release(chunk: first.chunk)
    let half = slab.heldByteCount
    slab.release(chunk: second.chunk)
    let empty = slab.heldByteCount
    #expect(half == full)
    #expect(empty == 0)
  }

  @Test func `a record never spans two chunks`() {
    var slab = ByteSlab(byteLimit: 64 << 10)
    _ = slab.reserve(8_000)
    let first = slab.commit(8_000)
    _ = slab.reserve(500)
    let second = slab.commit(500)
    #expect(second.chunk == first.chunk + 1)
    #expect(second.offset == 0)
  }

  @Test func `there is no room beyond the limit`() {
    var slab = ByteSlab(byteLimit: 16 << 10)
    for _ in 0..<4 {
      let hasRoom = slab.hasRoom(4_000)
      #expect(hasRoom)
      _ = slab.reserve(4_000)
      _ = slab.commit(4_000)
    }
    let full = (slab.hasRoom(4_000), slab.hasRoom(96))
    #expect(full == (false, true))
    slab.release(chunk: 0)
    let hasRoom = slab.hasRoom(4_000)
    #expect(hasRoom)
  }
}
