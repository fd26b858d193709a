internal import PushpitJSON

/// Where what happens is shown, and in which form.
struct DeviceOutput {
  /// The forms.
  enum Form: Equatable {
    /// A JSON object a line.
    case json
    /// Lines for pipes and simple terminals.
    case plain
    /// Cards, for a terminal.
    case cards
    /// Cards, and a last line that tells how the device is.
    case screen
  }

  /// Which form was taken.
  let form: Form
  private let mode: TerminalMode?
  private var bottom = BottomLine()
  private var isPaused = false

  /// Takes the richest form that fits standard input and output.
  init(asJSON: Bool) {
    mode = !asJSON && Terminal.hasKeys ? TerminalMode() : nil
    form = asJSON ? .json : mode != nil ? .screen : Terminal.isScreen ? .cards : .plain
    mode?.enter()
  }

  /// Prints lines, above the last line where there is one.
  mutating func show(_ lines: [String], status: StatusLine?, entry: LineEntry?) {
    guard form == .screen, !isPaused else {
      for line in lines { Terminal.print(line) }
      return
    }
    // One column stays free: a terminal that is full to the last may go to the next line.
    let columns = Terminal.columns
    let room = columns - 1
    let line = entry?.line(columns: room) ?? status?.line(columns: room) ?? ""
    let isPainted = entry == nil && Terminal.hasColour
    Terminal.draw(
      bottom.frame(above: lines, line: line, columns: columns) { text in
        Ink(hasColour: isPainted).paint(text, .reversed)
      })
  }

  /// Removes the last line and sets the terminal back.
  mutating func leave() {
    guard form == .screen, !isPaused else { return }
    isPaused = true
    Terminal.draw(bottom.frame(line: "", columns: Terminal.columns))
    mode?.leave()
  }

  /// Takes the terminal again after `leave()`.
  mutating func enter() {
    guard form == .screen else { return }
    mode?.enter()
    isPaused = false
  }
}
