/// Why a file of envelopes cannot be used.
package struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done, with which file, and why it failed.
  package let description: String
  /// SQLite's primary result code.
  package let code: Int32

  init(_ operation: String, _ path: String, _ reason: String, code: Int32 = 1) {
    description = "cannot \(operation) \(path): \(reason)"
    self.code = code
  }
}
