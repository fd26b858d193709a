/// Every token the gateway has met, registered or not.
///
/// Registered tokens live until their device is removed; of the undeclared ones the longest unused is
/// forgotten, and counted, when there are too many.
package final class TokenRegistry {
  /// At most this many undeclared tokens are remembered.
  package let undeclaredLimit: Int
  /// How many undeclared tokens were forgotten.
  package private(set) var forgottenCount = 0

  private var records: [[UInt8]: TokenRecord] = [:]
  /// Undeclared tokens in order of first use; a second chance is given to those used since.
  private var undeclared: [[UInt8]] = []
  private var usedSince: Set<[UInt8]> = []

  package init(undeclaredLimit: Int = 10_000) {
    self.undeclaredLimit = undeclaredLimit
  }

  /// The record of a token in canonical form: APNs tokens in lower case, FCM's as they are.
  package func record(of token: [UInt8]) -> TokenRecord? {
    records[token]
  }

  /// Registers a device's token; false when another device has it.
  @discardableResult
  package func register(_ record: TokenRecord) -> Bool {
    if let known = records[record.token], known.device != nil, known.device != record.device {
      return false
    }
    if records.updateValue(record, forKey: record.token)?.device == nil {
      undeclared.removeAll { $0 == record.token }
    }
    return true
  }

  /// Forgets a token.
  package func remove(_ token: [UInt8]) {
    if records.removeValue(forKey: token)?.device == nil {
      undeclared.removeAll { $0 == token }
    }
  }

  /// Remembers a well-formed token that nobody registered, and returns its record.
  package func adopt(_ token: [UInt8], kind: TokenKind, workspace: WorkspaceID) -> TokenRecord {
    if undeclared.count >= undeclaredLimit { forgetLongestUnused() }
    let record = TokenRecord(token: token, kind: kind, workspace: workspace)
    records[token] = record
    undeclared.append(token)
    return record
  }

  /// Marks an undeclared token as used, so that it is not the next to be forgotten.
  package func touch(_ record: TokenRecord) {
    if undeclared.count >= undeclaredLimit / 2 { usedSince.insert(record.token) }
  }

  /// All undeclared tokens, oldest first.
  package var undeclaredRecords: [TokenRecord] {
    undeclared.compactMap { records[$0] }
  }

  private func forgetLongestUnused() {
    if let index = undeclared.firstIndex(where: { !usedSince.contains($0) }) {
      records[undeclared.remove(at: index)] = nil
    } else {
      usedSince.removeAll(keepingCapacity: true)
      records[undeclared.removeFirst()] = nil
    }
    forgottenCount += 1
  }
}
