extension WorkspaceID {
  /// The longest name of a workspace in bytes.
  package static let lengthLimit = 64

  /// Whether a workspace may be called so: 1 to 64 letters, digits, `.`, `_` and `-` of ASCII, of which
  /// the first is a letter or a digit.
  ///
  /// It stands in URLs and in names of files, and `*` means all workspaces.
  package var isWellFormed: Bool {
    let bytes = rawValue.utf8
    guard let first = bytes.first, bytes.count <= Self.lengthLimit else { return false }
    func isLetterOrDigit(_ byte: UInt8) -> Bool {
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
    return isLetterOrDigit(first)
      && bytes.allSatisfy { isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
  }
}
