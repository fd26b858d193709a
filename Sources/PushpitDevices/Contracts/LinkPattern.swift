/// The form of a deep link: text with `{key}` for the value of a key, `*` for any text and `?` for any
/// character.
struct LinkPattern: Sendable, Equatable {
  /// The longest pattern, in bytes.
  static let limit = 256
  /// The longest link that has a form, and the longest form with its values, in bytes: matching takes as
  /// many steps as both multiplied.
  static let linkLimit = 2048

  private enum Part: Equatable {
    case byte(UInt8)
    case reference(String)
    case anyByte
    case anyText
  }

  /// As it was written.
  let text: String
  private let parts: [Part]

  /// Reads a pattern; nil when a reference has no end or no name, or it is too long.
  init?(_ text: String) {
    guard text.utf8.count <= Self.limit else { return nil }
    self.text = text
    var parts: [Part] = []
    var rest = Substring(text)
    while let first = rest.first {
      switch first {
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[rest.index(after: rest.startIndex)..<end]
        guard !name.isEmpty else { return nil }
        parts.append(.reference(String(name)))
        rest = rest[rest.index(after: end)...]
        continue
      case "*": parts.append(.anyText)
      case "?": parts.append(.anyByte)
      default: parts += first.utf8.map(Part.byte)
      }
      rest = rest.dropFirst()
    }
    self.parts = parts
  }

  /// The keys that it refers to.
  var references: [String] {
    parts.compactMap { if case .reference(let key) = $0 { key } else { nil } }
  }

  /// The link that it stands for with these values, as far as it says; for people.
  func example(_ value: (String) -> String?) -> String {
    var result: [UInt8] = []
    for part in parts {
      switch part {
      case .byte(let byte): result.append(byte)
      case .reference(let key): result += (value(key) ?? "{\(key)}").utf8
      case .anyByte: result.append(UInt8(ascii: "?"))
      case .anyText: result.append(UInt8(ascii: "*"))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a link has this form with these values.
  func matches(_ link: String, _ value: (String) -> String?) -> Bool {
    var wanted: [Part] = []
    for part in parts {
      guard case .reference(let key) = part else {
        wanted.append(part)
        continue
      }
      guard let text = value(key) else { return false }
      wanted += text.utf8.map(Part.byte)
    }
    guard link.utf8.count <= Self.linkLimit, wanted.count <= Self.linkLimit else { return false }
    return Self.matches(Array(link.utf8), wanted)
  }

  /// The value of the only reference, when it is the only part that is open and the link has this form.
  func onlyReference(in link: String) -> String? {
    guard references.count == 1, !parts.contains(.anyText), !parts.contains(.anyByte),
      let place = parts.firstIndex(where: { if case .reference = $0 { true } else { false } })
    else { return nil }
    let link = Array(link.utf8)
    let prefix = parts[..<place]
    let suffix = parts[(place + 1)...]
    guard link.count > prefix.count + suffix.count,
      link.prefix(prefix.count).map(Part.byte) == Array(prefix),
      link.suffix(suffix.count).map(Part.byte) == Array(suffix)
    else { return nil }
    return String(decoding: link[prefix.count..<(link.count - suffix.count)], as: UTF8.self)
  }

  /// Goes back to the last `*` only, which suffices: what an earlier one took is settled.
  private static func matches(_ text: [UInt8], _ parts: [Part]) -> Bool {
    var index = 0
    var part = 0
    var lastAny: (part: Int, index: Int)?
    while index < text.count {
      if part < parts.count, parts[part] == .anyText {
        lastAny = (part, index)
        part += 1
      } else if part < parts.count, parts[part] == .anyByte || parts[part] == .byte(text[index]) {
        part += 1
        index += 1
      } else if let any = lastAny {
        lastAny = (any.part, any.index + 1)
        part = any.part + 1
        index = any.index + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }
}
