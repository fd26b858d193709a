internal import PushpitCrypto

/// The number of a Google project whose own number nobody said.
enum ProjectNumber {
  /// Twelve digits as of Google's newer projects, the same for a project ID at every time and place, so that
  /// all accounts of a project agree.
  static func standard(of projectID: String) -> String {
    let hash = SHA256.digest(Array(projectID.utf8)).prefix(8).reduce(0 as UInt64) {
      $0 << 8 | UInt64($1)
    }
    return String(100_000_000_000 + hash % 900_000_000_000)
  }
}
