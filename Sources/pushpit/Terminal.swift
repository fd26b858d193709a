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

  /// Prints a line for people.
  static func complain(_ text: String) {
    put(text + "\n", STDERR_FILENO)
  }

  /// Whether standard output is a terminal: the only place for colour.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
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

  private static func put(_ text: String, _ descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count, let base = bytes.baseAddress {
        let count = write(descriptor, base + offset, bytes.count - offset)
        if count > 0 {
          offset += count
        } else if errno == EPIPE {
          // Whoever read us has gone, as in `pushpit tail | head`.
          _exit(0)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
