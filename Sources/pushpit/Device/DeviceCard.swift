internal import PushpitJSON

/// A push as people read it on a terminal: what the phone shows, and what is known about it.
///
/// No line is wider than the terminal, and none has a control character of a sender's.
struct DeviceCard {
  /// The most lines of a title, of a body and of the data.
  static let titleLimit = 2
  static let bodyLimit = 8
  static let dataLimit = 6
  /// The most lines of one warning, and the most warnings.
  static let warningLineLimit = 3
  static let warningLimit = 20
  /// A terminal narrower than this is taken as one of this width.
  static let widthMinimum = 24

  private static let bar = "│ "
  private static let labelWidth = 10

  /// The data of the event `push`.
  let push: JSONValue
  /// The envelope's `warnings`.
  let warnings: [JSONValue]
  /// What the device is called, where there are several.
  let device: String?

  /// The card's lines for a terminal of so many columns.
  func lines(columns: Int, _ ink: Ink) -> [String] {
    let columns = max(columns, Self.widthMinimum)
    return [header(columns, ink)] + shown(columns, ink) + details(columns, ink)
      + warningLines(columns, ink)
  }

  private func header(_ columns: Int, _ ink: Ink) -> String {
    let state = text("state")
    var words = [DeviceText.time(text("at")), text("service"), text("envelope")]
    if let device { words.append(device) }
    if let channel = push["channel"]?.stringValue { words.append("channel \(channel)") }
    let rest = Terminal.printable(words.joined(separator: "  "))
    let room = columns - "push  ".count - TextColumns.width(of: state) - 2
    return ink.paint("push", .bold) + "  "
      + ink.paint(state, state == "displayed" ? .green : .amber)
      + "  " + TextColumns.cut(rest, to: room)
  }

  /// What the phone shows.
  private func shown(_ columns: Int, _ ink: Ink) -> [String] {
    let room = columns - Self.bar.count
    let title = DeviceText.folded(push["title"]?.stringValue ?? "", room, Self.titleLimit)
    let body = DeviceText.folded(push["body"]?.stringValue ?? "", room, Self.bodyLimit)
    guard !(title + body).isEmpty else { return [Self.bar + ink.paint("(no alert)", .faint)] }
    return title.map { Self.bar + ink.paint($0, .bold) } + body.map { Self.bar + $0 }
  }

  private func details(_ columns: Int, _ ink: Ink) -> [String] {
    var lines: [String] = []
    if let data = push["data"], data.objectValue?.members.isEmpty == false {
      let text = String(decoding: data.serialized(), as: UTF8.self)
      lines += labelled("data", text, columns, Self.dataLimit, ink)
    }
    if let contract = push["contract"]?.stringValue {
      let ids = [("message", "messageID"), ("delivery", "deliveryID")].compactMap { word, key in
        push[key]?.stringValue.map { "\(word) \($0)" }
      }
      lines += labelled(
        "contract", ([contract] + ids).joined(separator: "  "), columns, Self.titleLimit, ink)
    }
    if let link = push["deepLink"]?.stringValue {
      lines += labelled("link", link, columns, Self.titleLimit, ink)
    }
    return lines
  }

  private func labelled(
    _ label: String, _ text: String, _ columns: Int, _ limit: Int, _ ink: Ink
  ) -> [String] {
    let room = columns - Self.bar.count - Self.labelWidth
    return DeviceText.folded(text, room, limit).enumerated().map { index, line in
      let name = index == 0 ? label : ""
      let padding = String(repeating: " ", count: Self.labelWidth - name.count)
      return Self.bar + ink.paint(name, .faint) + padding + line
    }
  }

  /// What phones drop or an SDK does not expect.
  private func warningLines(_ columns: Int, _ ink: Ink) -> [String] {
    let room = columns - Self.bar.count
    var lines = warnings.prefix(Self.warningLimit).flatMap { warning in
      let words = ["code", "pointer", "text"].compactMap { warning[$0]?.stringValue }
        .filter { !$0.isEmpty }
      return DeviceText.folded(words.joined(separator: "  "), room, Self.warningLineLimit)
    }
    if warnings.count > Self.warningLimit {
      lines.append("and \(warnings.count - Self.warningLimit) more")
    }
    return lines.map { Self.bar + ink.paint($0, .amber) }
  }

  private func text(_ key: String) -> String { push[key]?.stringValue ?? "" }
}
