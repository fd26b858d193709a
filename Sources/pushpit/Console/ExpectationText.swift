internal import PushpitJSON

/// What came of an expectation, as people read it in a terminal.
enum ExpectationText {
  /// At most this many near misses are printed; the first ones differ least.
  static let nearMissLimit = 5

  /// An expectation that was met: how long it took, and each match.
  static func met(_ answer: JSONValue) -> [String] {
    let elapsed = answer["elapsed"]?.stringValue.map { " after \(Terminal.printable($0))" } ?? ""
    return ["met: \(answer["count"]?.intValue ?? 0) matched\(elapsed)"]
      + (answer["matches"]?.arrayValue ?? []).flatMap(lines)
  }

  /// An expectation that was not met: the console's sentence, what matched, and near misses.
  static func missed(_ answer: JSONValue, hasDetails: Bool) -> String {
    var lines = [
      Terminal.printable(answer["detail"]?.stringValue ?? "the expectation was not met")
    ]
    guard hasDetails else { return lines[0] }
    lines += (answer["matches"]?.arrayValue ?? []).flatMap(Self.lines).map { "  " + $0 }
    for miss in (answer["nearMisses"]?.arrayValue ?? []).prefix(nearMissLimit) {
      lines.append(
        "  near miss \(text(miss, "envelope")): " + reasons(miss).joined(separator: "; "))
    }
    return lines.joined(separator: "\n")
  }

  /// An envelope as lists have it; of a delivery, before it, the device and how far it came there.
  ///
  /// What senders do is told by its own facts.
  private static func lines(_ match: JSONValue) -> [String] {
    if match["evidence"] != nil { return ReportText.lines(finding: match) }
    if match["pushes"] != nil {
      return ["connection \(text(match, "id"))  \(text(match, "pushes")) pushes"]
    }
    if match["sha256"] != nil {
      return ["key \(text(match, "keyID"))  \(text(match, "requests")) requests"]
    }
    guard let delivery = match["delivery"], let envelope = match["envelope"] else {
      return EnvelopeLine.lines(match)
    }
    let place = "\(text(delivery, "device"))  \(text(delivery, "state"))  "
    return EnvelopeLine.lines(envelope).prefix(1).map { place + $0 }
  }

  /// How an envelope differed, and why it was refused when it was.
  private static func reasons(_ miss: JSONValue) -> [String] {
    var reasons = (miss["differs"]?.arrayValue ?? []).map(difference)
    if miss["outcome"]?.stringValue == "rejected" {
      reasons.append("it was refused: \(text(miss, "status")) \(text(miss, "reason"))")
    } else if reasons.isEmpty {
      reasons.append("nothing of the kind was expected")
    }
    return reasons
  }

  private static func text(_ value: JSONValue, _ key: String) -> String {
    if let number = value[key]?.intValue { return String(number) }
    return Terminal.printable(value[key]?.stringValue ?? "")
  }

  private static func difference(_ difference: JSONValue) -> String {
    let field = Terminal.printable(difference["field"]?.stringValue ?? "")
    let found = difference["found"].flatMap { $0 == .null ? nil : $0 }
    return "\(field) is \(found.map(text) ?? "absent"), expected "
      + (difference["expected"].map(text) ?? "another")
  }

  /// JSON in one line; a number that may be text is the number.
  private static func text(_ value: JSONValue) -> String {
    if let object = value.objectValue, object.members.count == 1,
      let choices = object["oneOf"]?.arrayValue, choices.count == 2,
      case .string(let text) = choices[1], choices[0].serialized().elementsEqual(text.utf8)
    {
      return text
    }
    return Terminal.printable(String(decoding: value.serialized(), as: UTF8.self))
  }
}
