extension Timestamp {
  /// RFC 3339 in UTC with milliseconds, `2026-01-15T01:30:15.010Z`: the console's form of a time.
  package var rfc3339: String {
    let days = (milliseconds - floorModulus(milliseconds, 86_400_000)) / 86_400_000
    let rest = floorModulus(milliseconds, 86_400_000)
    let date = Self.civil(days: days)
    let seconds = rest / 1000
    return pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2) + "T"
      + pad(seconds / 3600, 2) + ":" + pad(seconds / 60 % 60, 2) + ":" + pad(seconds % 60, 2) + "."
      + pad(rest % 1000, 3) + "Z"
  }

  /// Reads RFC 3339: `Z` or an offset, any number of fraction digits (cut to milliseconds).
  package init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      return value
    }
    func has(_ index: Int, _ allowed: String) -> Bool {
      index < bytes.count && allowed.utf8.contains(bytes[index])
    }
    guard let year = number(0..<4), has(4, "-"), let month = number(5..<7), has(7, "-"),
      let day = number(8..<10), has(10, "Tt "), let hour = number(11..<13), has(13, ":"),
      let minute = number(14..<16), has(16, ":"), let second = number(17..<19),
      (1...12).contains(month), hour < 24, minute < 60, second < 61, Self.hasDay(year, month, day)
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if has(index, ".") {
      index += 1
      let start = index
      var scale: Int64 = 100
      while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 {
        fraction += Int64(bytes[index] - 0x30) * scale
        scale /= 10
        index += 1
      }
      guard index > start else { return nil }
    }
    var offsetMinutes: Int64 = 0
    if has(index, "+-") {
      guard let hours = number(index + 1..<index + 3), has(index + 3, ":"),
        let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60,
        index + 6 == bytes.count
      else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
    } else {
      guard has(index, "Zz"), index + 1 == bytes.count else { return nil }
    }
    let days = Self.days(year: year, month: month, day: day)
    let minutes = hour * 60 + minute - offsetMinutes
    self.init(milliseconds: ((days * 1440 + minutes) * 60 + second) * 1000 + fraction)
  }

  /// The proleptic Gregorian date of a day counted from 1970-01-01.
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// Whether a month of 1 to 12 has this day.
  private static func hasDay(_ year: Int64, _ month: Int64, _ day: Int64) -> Bool {
    day >= 1 && day <= 31 && civil(days: days(year: year, month: month, day: day)).day == day
  }

  /// The day number of a proleptic Gregorian date, counted from 1970-01-01.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

private func floorModulus(_ value: Int64, _ modulus: Int64) -> Int64 {
  let rest = value % modulus
  return rest < 0 ? rest + modulus : rest
}

private func pad(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
