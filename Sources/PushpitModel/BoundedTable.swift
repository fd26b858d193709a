/// A dictionary of limited size: when it is full, the entry added first makes room.
package struct BoundedTable<Key: Hashable, Value> {
  /// The most entries it holds.
  package let limit: Int
  private var values: [Key: Value] = [:]
  /// The keys in order of addition, as a ring once it is full.
  private var keys: [Key] = []
  private var oldest = 0
  /// Entries that had to make room.
  package private(set) var forgottenCount = 0

  package init(limit: Int) {
    precondition(limit > 0)
    self.limit = limit
  }

  /// How many entries there are.
  package var count: Int { values.count }

  /// Every value, in no order.
  package var all: some Collection<Value> { values.values }

  package subscript(key: Key) -> Value? { values[key] }

  /// Whether an entry has to go when another is added.
  package var isFull: Bool { keys.count == limit }

  /// Removes the entries of which this is true; the others keep their order.
  package mutating func removeAll(where isToGo: (Value) -> Bool) {
    values = values.filter { !isToGo($0.value) }
    keys = (keys[oldest...] + keys[..<oldest]).filter { values[$0] != nil }
    oldest = 0
  }

  /// Adds an entry, or replaces the value of a key that is there.
  package mutating func insert(_ value: Value, for key: Key) {
    if values.updateValue(value, forKey: key) != nil { return }
    guard isFull else {
      keys.append(key)
      return
    }
    values[keys[oldest]] = nil
    forgottenCount += 1
    keys[oldest] = key
    oldest = (oldest + 1) % limit
  }
}
