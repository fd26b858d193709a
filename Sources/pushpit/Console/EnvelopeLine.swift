internal import PushpitJSON

/// An envelope as people read it in a terminal: one line, and two more when it was refused.
enum EnvelopeLine {
  /// The lines of one envelope in the console's shape.
  static func lines(_ envelope: JSONValue) -> [String] {
    let isAccepted = envelope["outcome"]?.stringValue == "accepted"
    let verdict =
      isAccepted
      ? Terminal.coloured("accepted", 32)
      : Terminal.coloured("\(text(envelope, "status")) \(text(envelope, "reason"))", 31)
    var parts = [
      time(text(envelope, "receivedAt")), text(envelope, "service"), verdict,
      text(envelope, "topic"), text(envelope, "project"), short(text(envelope, "token")),
      text(envelope, "channel"),
      title(envelope),
    ].filter { !$0.isEmpty }
    for warning in envelope["warnings"]?.arrayValue ?? [] {
      parts.append(Terminal.coloured(warning["code"]?.stringValue ?? "", 33))
    }
    var lines = [parts.joined(separator: "  ")]
    if let diagnosis = envelope["diagnosis"], diagnosis.objectValue != nil {
      lines.append("  \(text(diagnosis, "code")): \(text(diagnosis, "what"))")
      lines.append("  fix: \(text(diagnosis, "fix"))")
    }
    return lines
  }

  private static func title(_ envelope: JSONValue) -> String {
    let payload = envelope["payload"]
    let alert = payload?.pointer("/aps/alert")
    let notification = payload?.pointer("/message/notification")
    let words = [
      alert?.stringValue, alert?["title"]?.stringValue, alert?["body"]?.stringValue,
      notification?["title"]?.stringValue, notification?["body"]?.stringValue,
    ].compactMap { $0 }
    return words.isEmpty ? "" : "\"\(Terminal.printable(words.joined(separator: ": ")))\""
  }

  private static func short(_ token: String) -> String {
    token.count > 8 ? "\(token.prefix(8))..." : token
  }

  private static func time(_ timestamp: String) -> String {
    timestamp.count == 24 ? String(timestamp.dropFirst(11).dropLast()) : timestamp
  }

  private static func text(_ value: JSONValue, _ key: String) -> String {
    if let number = value[key]?.intValue { return String(number) }
    return Terminal.printable(value[key]?.stringValue ?? "")
  }
}
