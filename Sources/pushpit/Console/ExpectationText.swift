internal import PushpitJSON

/// What came of an expectation, as people read it in a terminal.
enum ExpectationText {
  /// At most this many near misses are printed; the first ones differ least.
  static let nearMissLimit = 5

  /// An expectation that was met: a line for each match.
  static func met(_ answer: JSONValue) -> [String] {
    let matches = answer["matches"]?.arrayValue ?? []
    return ["met: \(matches.count) matched"] + matches.flatMap(lines)
  }

  /// An expectation that was not met: the console's sentence, what matched, and near misses.
  static func missed(_ answer: JSONValue, hasDetails: Bool) -> String {
    var lines = [
      Terminal.printable(answer["detail"]?.stringValue ?? "the expectation was not met")
    ]
    guard hasDetails else { return lines[0] }
    lines += (answer["matches"]?.arrayValue ?? []).flatMap(Self.lines).map { "  " + $0 }
    for miss in (answer["nearMisses"]?.arrayValue ?? []).prefix(nearMissLimit) {
      let differences = (miss["differs"]?.arrayValue ?? []).map(difference)
      lines.append("  near miss \(id(miss["envelope"])): " + differences.joined(separator: "; "))
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(_ match: JSONValue) -> [String] {
    var lines = EnvelopeLine.lines(match)
    if let state = match["state"]?.stringValue, let device = match["device"]?.stringValue,
      !lines.isEmpty
    {
      lines[0] = "\(Terminal.printable(device))  \(Terminal.printable(state))  " + lines[0]
    }
    return lines
  }

  private static func id(_ envelope: JSONValue?) -> String {
    Terminal.printable(envelope?.stringValue ?? envelope?["id"]?.stringValue ?? "")
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
