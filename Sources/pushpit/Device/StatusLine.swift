/// The last line: which device the keys act on, and how it is.
struct StatusLine {
  /// The device that the keys act on.
  let phone: Phone
  /// How many devices there are.
  let deviceCount: Int
  /// The pushes of all of them.
  let pushCount: Int

  /// At most so many columns; the parts that matter least go first.
  func line(columns: Int) -> String {
    var parts = [
      phone.name, phone.isInstalled ? (phone.isOnline ? "online" : "offline") : "uninstalled",
      foreground, pushCount == 1 ? "1 push" : "\(pushCount) pushes",
    ]
    if deviceCount > 1 { parts.insert("1 of \(deviceCount) devices", at: 1) }
    if phone.savesPower { parts.append(phone.platform == "ios" ? "power saving" : "dozing") }
    parts.append("? help")
    let text = Terminal.printable(" " + parts.joined(separator: " · ") + " ")
    return TextColumns.cut(text, to: columns)
  }

  private var foreground: String {
    guard let conversation = phone.conversation else { return "app closed" }
    return conversation.isEmpty ? "app open" : "in \(conversation)"
  }
}
