/// Every token the gateway has met, registered or not.
///
/// Registered tokens live until their device is removed; of the undeclared ones one that was long unused
/// is forgotten, and counted, when there are too many.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change of the table calls only the table.
package final class TokenRegistry {
  /// At most this many undeclared tokens of a workspace are remembered.
  package let undeclaredLimit: Int
  /// How many undeclared tokens were forgotten.
  package private(set) var forgottenCount = 0

  @exclusivity(unchecked) private var records: [Key: TokenRecord] = [:]
  private var undeclared: [WorkspaceID: UndeclaredTokens] = [:]

  package init(undeclaredLimit: Int = 10_000) {
    self.undeclaredLimit = undeclaredLimit
  }

  /// The record of a token in canonical form: APNs tokens in lower case, FCM's as they are.
  package func record(of token: [UInt8]) -> TokenRecord? {
    records[Key(token)]
  }

  /// Registers a device's token; false when another device has it.
  @discardableResult
  package func register(_ record: TokenRecord) -> Bool {
    if let known = records[Key(record.token)], known.device != nil, known.device != record.device {
      return false
    }
    put(record)
    return true
  }

  /// Forgets a token.
  package func remove(_ token: [UInt8]) {
    if let known = records.removeValue(forKey: Key(token)) { leave(known) }
  }

  /// Forgets the undeclared tokens of a workspace.
  package func removeUndeclared(of workspace: WorkspaceID) {
    guard let gone = undeclared.removeValue(forKey: workspace) else { return }
    for record in gone.records { records[Key(record.token)] = nil }
  }

  /// Remembers a well-formed token that nobody registered, and returns its record.
  package func adopt(_ token: [UInt8], kind: TokenKind, workspace: WorkspaceID) -> TokenRecord {
    if undeclared[workspace, default: UndeclaredTokens()].count >= undeclaredLimit,
      let forgotten = undeclared[workspace]?.takeLongUnused()
    {
      records[Key(forgotten.token)] = nil
      forgottenCount += 1
    }
    let record = TokenRecord(token: token, kind: kind, workspace: workspace)
    put(record)
    undeclared[workspace, default: UndeclaredTokens()].append(record)
    return record
  }

  /// Marks an undeclared token as used, so that it is not the next to be forgotten.
  package func touch(_ record: TokenRecord) {
    record.isUsedAgain = true
  }

  /// How many undeclared tokens are remembered.
  package var undeclaredCount: Int { undeclared.values.reduce(0) { $0 + $1.count } }

  /// The undeclared tokens of a workspace, the next to be forgotten first, but for those used since.
  package func undeclaredRecords(of workspace: WorkspaceID = .default) -> [TokenRecord] {
    undeclared[workspace]?.records ?? []
  }

  private func put(_ record: TokenRecord) {
    if let known = records.updateValue(record, forKey: Key(record.token)) { leave(known) }
  }

  /// It is none of the undeclared tokens any more.
  private func leave(_ record: TokenRecord) {
    if record.undeclaredSlot != nil { undeclared[record.workspace]?.remove(record) }
  }

  /// A token that hashes and compares its bytes eight at a time, and hashes only what they fold to.
  ///
  /// `[UInt8]` takes them one by one, which cost as much as everything else done with a push's token.
  private struct Key: Hashable {
    let token: [UInt8]

    init(_ token: [UInt8]) {
      self.token = token
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(token.withUnsafeBytes(Self.fold))
    }

    /// All bytes in one word, by the multiplication of Fibonacci hashing.
    private static func fold(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
      var folded = UInt64(truncatingIfNeeded: bytes.count)
      var offset = 0
      while offset + 8 <= bytes.count {
        folded ^= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        folded &*= 0x9E37_79B9_7F4A_7C15
        folded ^= folded >> 32
        offset += 8
      }
      for byte in bytes[offset...] { folded = (folded ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
      return folded
    }

    static func == (left: Key, right: Key) -> Bool {
      left.token.withUnsafeBytes { left in
        right.token.withUnsafeBytes { right in equal(left, right) }
      }
    }

    private static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
      -> Bool
    {
      guard left.count == right.count else { return false }
      var offset = 0
      while offset + 8 <= left.count {
        guard
          left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        else { return false }
        offset += 8
      }
      return left[offset...].elementsEqual(right[offset...])
    }
  }
}
