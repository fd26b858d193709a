/// What the keys of `pushpit device` do.
enum DeviceKey: Character, CaseIterable {
  case tap = "t"
  case dismiss = "d"
  case foreground = "f"
  case online = "o"
  case rotate = "r"
  case uninstall = "u"
  case logout = "l"
  case power = "p"
  case help = "?"
  case quit = "q"

  /// What it does, for the help.
  var meaning: String {
    switch self {
    case .tap: "tap the newest notification"
    case .dismiss: "dismiss the newest notification"
    case .foreground: "open the app, in a conversation; or close it"
    case .online: "go offline, and online again"
    case .rotate: "get a new token in place of the old one"
    case .uninstall: "uninstall the app, and install it again"
    case .logout: "log out: the app's tokens are not the user's any more"
    case .power: "save power, or doze, and stop again"
    case .help: "show this"
    case .quit: "quit"
    }
  }

  /// The help's lines.
  static var helpLines: [String] { allCases.map { "  \($0.rawValue)  \($0.meaning)" } }
}
