/// Durations as the console reads and writes them: a whole number and a unit.
package enum DurationText {
  /// What people are shown.
  package static let examples = "1500ms, 90s, 20m or 1h"
  /// The longest duration that is taken: a bit more than 30 years of seconds.
  private static let limit: Int64 = 1_000_000_000

  /// A whole number and `ms`, `s`, `m` or `h`; nil for anything else.
  package static func parse(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), number <= limit else { return nil }
    switch text.dropFirst(digits.count) {
    case "ms": return .milliseconds(number)
    case "s": return .seconds(number)
    case "m": return .seconds(number * 60)
    case "h": return .seconds(number * 3600)
    default: return nil
    }
  }

  /// A duration in the largest unit that leaves no rest, to the millisecond, with a minus sign where
  /// it is negative.
  package static func write(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    for (unit, name) in [(3_600_000, "h"), (60_000, "m"), (1000, "s")] as [(Int64, String)]
    where milliseconds % unit == 0 && milliseconds != 0 {
      return "\(milliseconds / unit)\(name)"
    }
    return milliseconds == 0 ? "0s" : "\(milliseconds)ms"
  }
}
