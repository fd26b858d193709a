/// Memory for records that are made and forgotten in the same order, in chunks of 1 MiB.
///
/// A record never spans two chunks; one that is longer gets a chunk of its own. A chunk
/// is given back when its last record is released, and one is kept for reuse, so that a full ring
/// allocates nothing.
struct ByteSlab: ~Copyable {
  /// A place that was reserved for one record.
  struct Place {
    /// Counts the chunks of this slab from 0.
    let chunk: UInt32
    let offset: UInt32
  }

  private struct Chunk {
    /// Owned by the slab, which frees it.
    let memory: UnsafeMutableRawPointer
    let capacity: Int
    var used = 0
    /// Records that were not released yet.
    var live = 0
  }

  /// At most this many bytes are held in chunks, unless one record alone is longer.
  let byteLimit: Int
  private let chunkCapacity: Int
  private var chunks: [Chunk] = []
  private var firstChunk: UInt32 = 0
  private var spare: Chunk?
  /// Bytes of all chunks that hold records.
  private(set) var heldByteCount = 0

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
    chunkCapacity = max(4096, min(1 << 20, byteLimit / 8))
  }

  deinit {
    for chunk in chunks { chunk.memory.deallocate() }
    spare?.memory.deallocate()
  }

  /// Whether a record of at most `count` bytes fits without holding more than the limit.
  func hasRoom(_ count: Int) -> Bool {
    if let last = chunks.last, last.capacity - last.used >= count { return true }
    return heldByteCount + max(count, chunkCapacity) <= byteLimit
  }

  /// Memory for a record of at most `count` bytes, valid until the next call; `commit` keeps it.
  ///
  /// No closure, because one would make the caller copy all that it writes from (300 ns a record).
  mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if let last = chunks.last, last.capacity - last.used >= count {
      return last.memory + last.used
    }
    return open(count)
  }

  /// Keeps the first `count` bytes of what was reserved.
  mutating func commit(_ count: Int) -> Place {
    let index = chunks.count - 1
    let offset = chunks[index].used
    precondition(offset + count <= chunks[index].capacity, "a record is longer than its place")
    chunks[index].used = offset + count
    chunks[index].live += 1
    return Place(
      chunk: firstChunk &+ UInt32(truncatingIfNeeded: index),
      offset: UInt32(truncatingIfNeeded: offset))
  }

  /// Releases the oldest record, which lies in this chunk.
  mutating func release(chunk: UInt32) {
    let index = Int(chunk &- firstChunk)
    chunks[index].live -= 1
    while let first = chunks.first, first.live == 0 {
      heldByteCount -= first.capacity
      retire(chunks.removeFirst())
      firstChunk &+= 1
    }
  }

  /// The bytes of a record that was stored and not released.
  func withBytes<Result>(
    at place: Place, count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    let chunk = chunks[Int(place.chunk &- firstChunk)]
    return body(
      UnsafeMutableRawBufferPointer(start: chunk.memory + Int(place.offset), count: count))
  }

  private mutating func open(_ count: Int) -> UnsafeMutableRawPointer {
    let capacity = max(count, chunkCapacity)
    heldByteCount += capacity
    if capacity == chunkCapacity, let reused = spare {
      spare = nil
      chunks.append(reused)
    } else {
      chunks.append(
        Chunk(memory: .allocate(byteCount: capacity, alignment: 16), capacity: capacity))
    }
    return chunks[chunks.count - 1].memory
  }

  private mutating func retire(_ chunk: Chunk) {
    guard spare == nil, chunk.capacity == chunkCapacity else { return chunk.memory.deallocate() }
    spare = Chunk(memory: chunk.memory, capacity: chunk.capacity)
  }
}
