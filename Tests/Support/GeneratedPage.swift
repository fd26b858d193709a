import Foundation

/// A page of `docs` that is made from tests.
package struct GeneratedPage: Sendable {
  /// Where it is in the repository.
  package let path: String
  /// What it says.
  package let text: String

  package init(path: String, lines: [String]) {
    self.path = path
    text = lines.joined(separator: "\n") + "\n"
  }

  /// Whether pages are to be written, as `scripts/conformance --write` asks.
  private static let isWriting = ProcessInfo.processInfo.environment["PUSHPIT_WRITE_PAGES"] == "1"

  /// The page as it is in the repository, after it was written where that is asked.
  package func committed() throws -> String {
    if Self.isWriting { try RepositoryFile.write(text, to: path) }
    return try RepositoryFile.text(path)
  }

  /// A row of a table; empty cells have a blank.
  package static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.isEmpty ? " " : $0 }.joined(separator: " | ") + " |"
  }

  /// The evidence of a rule as a cell.
  package static func cell(_ evidence: ConformanceEvidence) -> String {
    "\(evidence.kind): \(evidence.source)"
  }

  /// A link from a page in `docs` to a file of tests.
  package static func link(to file: String) -> String {
    "[\(file.split(separator: "/").last ?? "")](../\(file))"
  }
}
