/// A JSON object that keeps its members in the order they were written, duplicates too.
///
/// Two objects are equal when they have equal members in the same order.
package struct JSONObject: Sendable, Equatable {
  package var members: [(key: String, value: JSONValue)]

  /// An object without members.
  package init() {
    members = []
  }

  /// An object of these members, in this order.
  package init(_ pairs: KeyValuePairs<String, JSONValue>) {
    members = pairs.map { (key: $0.key, value: $0.value) }
  }

  /// The value of a key; of several members with the key, the last one's.
  ///
  /// Setting replaces that value or appends a member; setting nil removes all members of the key.
  package subscript(key: String) -> JSONValue? {
    get { members.last { Self.isSame($0.key, key) }?.value }
    set {
      guard let newValue else {
        members.removeAll { Self.isSame($0.key, key) }
        return
      }
      if let index = members.lastIndex(where: { Self.isSame($0.key, key) }) {
        members[index].value = newValue
      } else {
        members.append((key: key, value: newValue))
      }
    }
  }

  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.elementsEqual(right.members) { isSame($0.key, $1.key) && $0.value == $1.value }
  }

  // Names are compared code unit by code unit (RFC 8259 section 8.3); String's own comparison
  // also takes canonically equivalent texts as equal.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    // Most are told apart by their lengths, and comparing bytes costs least as one block of them.
    guard left.utf8.count == right.utf8.count else { return false }
    let isSame = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in haveSameBytes(left, right) }
    }
    guard case .some(.some(let isSame)) = isSame else { return left.utf8.elementsEqual(right.utf8) }
    return isSame
  }

  private static func haveSameBytes(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }
}
