/// A dictionary of limited size: when it is full, the entry added first makes room.
struct BoundedTable<Key: Hashable, Value> {
  /// The most entries it holds.
  let limit: Int
  private var values: [Key: Value] = [:]
  /// The keys in order of addition, as a ring once it is full.
  private var keys: [Key] = []
  private var oldest = 0

  init(limit: Int) {
    precondition(limit > 0)
    self.limit = limit
  }

  var count: Int { values.count }

  /// Every value, in no order.
  var all: some Collection<Value> { values.values }

  subscript(key: Key) -> Value? { values[key] }

  /// Adds an entry, or replaces the value of a key that is there.
  mutating func insert(_ value: Value, for key: Key) {
    if values.updateValue(value, forKey: key) != nil { return }
    guard keys.count == limit else {
      keys.append(key)
      return
    }
    values[keys[oldest]] = nil
    keys[oldest] = key
    oldest = (oldest + 1) % limit
  }
}
