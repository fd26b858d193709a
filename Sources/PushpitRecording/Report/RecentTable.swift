/// A dictionary of limited size: what was added first makes room.
struct RecentTable<Key: Hashable, Value> {
  /// The most entries.
  let limit: Int
  private var values: [Key: Value] = [:]
  /// Keys in order of addition, as a ring once it is full.
  private var keys: [Key] = []
  private var oldest = 0
  /// Entries that had to go.
  private(set) var forgottenCount = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { values.count }

  /// Every value, in no order.
  var all: some Collection<Value> { values.values }

  subscript(key: Key) -> Value? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) != nil { return }
      guard keys.count == limit else { return keys.append(key) }
      values[keys[oldest]] = nil
      forgottenCount += 1
      keys[oldest] = key
      oldest = (oldest + 1) % limit
    }
  }
}
