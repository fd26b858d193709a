/// The newest items of a sequence, oldest first, never more than a limit.
package struct RecentItems<Element>: RandomAccessCollection {
  /// How many items are kept.
  package let limit: Int
  /// How many items were there before the oldest that is kept.
  package private(set) var evictedCount = 0

  private var storage: [Element] = []
  /// Where the oldest item is once the storage is full.
  private var start = 0

  /// An empty sequence that will keep at most `limit` items, at least one.
  package init(limit: Int) {
    precondition(limit > 0, "a limit of recent items is at least one")
    self.limit = limit
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { storage.count }

  package subscript(position: Int) -> Element {
    let index = start + position
    return storage[index < storage.count ? index : index - storage.count]
  }

  /// Adds the newest item, in place of the oldest when there are as many as the limit.
  package mutating func append(_ item: consuming Element) {
    guard storage.count == limit else {
      storage.append(item)
      return
    }
    storage[start] = item
    start = start + 1 == limit ? 0 : start + 1
    evictedCount += 1
  }
}
