/// Tokens that nobody registered, in the order in which they are looked at to be forgotten.
///
/// A clock with a second chance: one that was used since it was last looked at goes to the end instead.
/// A use costs an assignment to the record, everything else constant time on average.
package struct UndeclaredTokens {
  /// How many empty slots there may be in any case; more than that, and as many as there are tokens.
  package static let spareSlotLimit = 16

  /// How many tokens there are.
  package private(set) var count = 0
  /// Those that left make gaps, and so do those before `hand`.
  private var slots: [TokenRecord?] = []
  /// The slot to look at next.
  private var hand = 0

  package init() {}

  /// How many slots there are, with the gaps.
  package var slotCount: Int { slots.count }

  /// All of them, in order.
  package var records: [TokenRecord] { slots.compactMap(\.self) }

  /// Adds a token, which is none of them.
  package mutating func append(_ record: TokenRecord) {
    count += 1
    place(record)
  }

  /// Removes a token; nothing when it is none of them.
  package mutating func remove(_ record: TokenRecord) {
    guard let slot = record.undeclaredSlot else { return }
    slots[slot] = nil
    record.undeclaredSlot = nil
    count -= 1
  }

  /// Takes out the first token that was not used since it was last looked at.
  package mutating func takeLongUnused() -> TokenRecord? {
    while hand < slots.count {
      let record = slots[hand]
      hand += 1
      guard let record else { continue }
      guard record.isUsedAgain else {
        remove(record)
        return record
      }
      record.isUsedAgain = false
      slots[hand - 1] = nil
      place(record)
    }
    return nil
  }

  private mutating func place(_ record: TokenRecord) {
    if slots.count >= 2 * count + Self.spareSlotLimit { closeGaps() }
    record.undeclaredSlot = slots.count
    slots.append(record)
  }

  private mutating func closeGaps() {
    slots.removeAll { $0 == nil }
    hand = 0
    for (slot, record) in slots.enumerated() { record?.undeclaredSlot = slot }
  }
}
