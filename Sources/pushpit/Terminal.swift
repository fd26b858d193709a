internal import PushpitJSON

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What people see: results on standard output, talk on standard error.
enum Terminal {
  /// Prints a line of result at once, also into a pipe.
  static func print(_ text: String) {
    put(text + "\n", STDOUT_FILENO)
  }

  /// Prints JSON, indented.
  static func print(_ value: JSONValue) {
    write(value.serialized(.indented) + [UInt8(ascii: "\n")])
  }

  /// Writes bytes that are a result as they are.
  static func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { put($0, STDOUT_FILENO) }
  }

  /// Prints a line for people.
  static func complain(_ text: String) {
    put(text + "\n", STDERR_FILENO)
  }

  /// Prints text as it is, without a line's end.
  static func draw(_ text: String) {
    put(text, STDOUT_FILENO)
  }

  /// Whether standard output is a terminal that can do more than print lines.
  static var isScreen: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") } != 0
  }

  /// Whether keys can be read while the screen is drawn: input and output are terminals, and this is
  /// what runs in the foreground there.
  static var hasKeys: Bool {
    isScreen && isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// The width of the terminal that is standard output; 80 where it has none.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether standard output is a terminal with colour, the only place for it.
  static var hasColour: Bool {
    // By no-color.org the variable counts when it is not empty.
    isScreen && getenv("NO_COLOR").map { $0.pointee != 0 } != true
  }

  /// Text in a colour of ECMA-48 (32 green, 31 red, 33 yellow) where there is colour.
  static func coloured(_ text: String, _ code: Int) -> String {
    hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Text of a sender with a space for every control character: a push must neither move the
  /// cursor nor pretend to be a line of ours.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(scalars)
  }

  /// JSON of a sender on several lines, without its control characters.
  static func printable(_ value: JSONValue) -> String {
    String(decoding: value.serialized(.indented), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { printable(String($0)) }.joined(separator: "\n")
  }

  private static func put(_ text: String, _ descriptor: Int32) {
    var text = text
    text.withUTF8 { put($0, descriptor) }
  }

  private static func put(_ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: Int32) {
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let count = put(UnsafeRawBufferPointer(rebasing: rest), descriptor)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        // Whoever read us has gone, as in `pushpit tail | head`.
        _exit(0)
      } else if errno == EAGAIN {
        // Others who have the same terminal may have told it not to wait.
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&watched, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }

  private static func put(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
