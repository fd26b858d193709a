/// What stands for a value in a callback's URL, headers and body: `{token}`.
package enum CallbackPlaceholder: String, Sendable, CaseIterable {
  case token, platform, app, device, deliveryID, messageID
}

/// The values of one callback.
struct CallbackValues {
  var token = ""
  var platform = ""
  var app = ""
  var device = ""
  var deliveryID = ""
  var messageID = ""

  subscript(placeholder: CallbackPlaceholder) -> String {
    switch placeholder {
    case .token: token
    case .platform: platform
    case .app: app
    case .device: device
    case .deliveryID: deliveryID
    case .messageID: messageID
    }
  }
}

/// A text with placeholders.
///
/// Braces around anything but a name are text, so that a JSON text can be written as it is.
struct CallbackText: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    case literal(String)
    case placeholder(CallbackPlaceholder)
  }

  /// As it was written.
  let source: String
  private let parts: [Part]

  /// - Throws: when a name in braces is no placeholder's.
  init(_ source: String) throws(CallbackFault) {
    self.source = source
    var parts: [Part] = []
    var literal = source[...]
    var rest = source[...]
    while let brace = rest.firstIndex(of: "{") {
      let inside = rest[rest.index(after: brace)...]
      let name = inside.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      rest = inside
      guard !name.isEmpty, inside[name.endIndex...].first == "}" else { continue }
      guard let placeholder = CallbackPlaceholder(rawValue: String(name)) else {
        throw CallbackFault(
          "unknown placeholder {\(name.prefix(Self.shownNameLimit))}; known are \(Self.known)")
      }
      parts.append(.literal(String(literal[..<brace])))
      parts.append(.placeholder(placeholder))
      rest = inside[inside.index(after: name.endIndex)...]
      literal = rest
    }
    parts.append(.literal(String(literal)))
    self.parts = parts.filter { $0 != .literal("") }
  }

  private static let shownNameLimit = 50
  private static let known = CallbackPlaceholder.allCases.map { "{\($0.rawValue)}" }
    .joined(separator: ", ")

  /// What is no placeholder, piece by piece.
  var literals: [String] {
    parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
  }

  /// The text with values, each made fit for its place.
  func text(_ values: CallbackValues, _ escape: (String) -> String = { $0 }) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .placeholder(let placeholder): text += escape(values[placeholder])
      }
    }
    return text
  }
}
