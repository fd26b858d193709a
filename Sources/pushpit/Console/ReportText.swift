internal import PushpitJSON

/// A report on a workspace's senders, as people read it in a terminal.
enum ReportText {
  /// The verdict, each finding with what to do and what shows it, and the tokens to act on.
  static func lines(_ report: JSONValue) -> [String] {
    var lines = [text(report, "verdict")]
    for finding in report["findings"]?.arrayValue ?? [] { lines += Self.lines(finding: finding) }
    let tokens = report["tokens"]
    let counts = ["prune", "keep", "fix"].map { "\($0) \(tokens?[$0]?["total"]?.intValue ?? 0)" }
    lines.append("tokens  " + counts.joined(separator: ", "))
    for verdict in ["prune", "fix"] {
      for token in tokens?[verdict]?["items"]?.arrayValue ?? [] {
        lines.append("\(verdict)  \(text(token, "token"))  \(text(token, "why"))")
      }
    }
    return lines
  }

  /// One finding.
  static func lines(finding: JSONValue) -> [String] {
    let severity = text(finding, "severity")
    let evidence = (finding["evidence"]?.arrayValue ?? []).compactMap(\.stringValue)
    return [
      Terminal.coloured(severity, severity == "error" ? 31 : 33)
        + "  \(text(finding, "code")): \(text(finding, "what"))",
      "  fix: \(text(finding, "fix"))",
      "  seen in \(Terminal.printable(evidence.joined(separator: " ")))",
    ]
  }

  private static func text(_ value: JSONValue, _ key: String) -> String {
    Terminal.printable(value[key]?.stringValue ?? "")
  }
}
