internal import PushpitModel

/// Text of a record in which variables stand where credentials were cut.
struct ExportText {
  /// A part of the text.
  enum Piece: Equatable {
    case bytes([UInt8])
    /// The name of a shell variable, for what the record does not have.
    case variable(String)
  }

  private(set) var pieces: [Piece]

  /// Text as it is.
  init(_ bytes: [UInt8]) {
    pieces = bytes.isEmpty ? [] : [.bytes(bytes)]
  }

  /// A target or a body, in which `(cut)` after the name of a secret becomes a variable of that name:
  /// `assertion=$ASSERTION`.
  init(_ bytes: [UInt8], cutFor service: PushService) {
    let mark = Array(CredentialCut.placeholder.utf8)
    pieces = []
    var start = 0
    var index = 0
    while index + mark.count <= bytes.count {
      guard bytes[index..<index + mark.count].elementsEqual(mark),
        let name = Self.name(before: index, in: bytes),
        CredentialCut.isSecret(name, service: service)
      else {
        index += 1
        continue
      }
      append(bytes[start..<index])
      pieces.append(.variable(Self.variable(name)))
      index += mark.count
      start = index
    }
    append(bytes[start...])
  }

  /// The value of a header field of an envelope.
  init(_ field: Envelope.Field, of envelope: Envelope) {
    self.init(field.value)
    guard field.isCut else { return }
    let scheme = String(decoding: field.value, as: UTF8.self).lowercased()
    if !scheme.isEmpty, !scheme.hasSuffix("=") { append([UInt8(ascii: " ")]) }
    pieces.append(.variable(Self.variable(field, scheme: scheme, of: envelope)))
  }

  /// Whether a variable stands for something.
  var hasVariables: Bool {
    pieces.contains { if case .variable = $0 { true } else { false } }
  }

  /// The text with `$NAME` for each variable.
  var bytes: [UInt8] {
    pieces.flatMap { piece in
      switch piece {
      case .bytes(let bytes): bytes
      case .variable(let name): Array("$\(name)".utf8)
      }
    }
  }

  /// This text and then another.
  static func + (left: ExportText, right: ExportText) -> ExportText {
    var sum = left
    for piece in right.pieces {
      switch piece {
      case .bytes(let bytes): sum.append(bytes[...])
      case .variable: sum.pieces.append(piece)
      }
    }
    return sum
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if bytes.isEmpty { return }
    if case .bytes(let before)? = pieces.last {
      pieces[pieces.count - 1] = .bytes(before + bytes)
    } else {
      pieces.append(.bytes(Array(bytes)))
    }
  }

  private static func variable(
    _ field: Envelope.Field, scheme: String, of envelope: Envelope
  ) -> String {
    switch field.name.count {
    case 14: return "API_KEY"  // x-goog-api-key
    case 19: return "PROXY_CREDENTIAL"  // proxy-authorization
    default: break
    }
    if scheme == "key=" { return "SERVER_KEY" }
    if scheme == "basic" { return "CLIENT_CREDENTIAL" }
    let isProviderToken = envelope.credential?.kind == .providerToken || envelope.service == .apns
    return isProviderToken ? "PROVIDER_TOKEN" : "ACCESS_TOKEN"
  }

  /// The name of the parameter or member whose value begins here: `name=` or `"name":"`.
  private static func name(before index: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var head = bytes[..<index]
    let blanks = " \t\r\n\"".utf8
    if head.last == UInt8(ascii: "=") {
      head.removeLast()
    } else if head.last == UInt8(ascii: "\"") {
      while let last = head.last, blanks.contains(last) { head.removeLast() }
      guard head.popLast() == UInt8(ascii: ":") else { return nil }
      while let last = head.last, blanks.contains(last) { head.removeLast() }
    } else {
      return nil
    }
    let ends = "?&;\r\n{,\"".utf8
    let name = head.suffix(from: (head.lastIndex { ends.contains($0) }).map { $0 + 1 } ?? 0)
    return name.isEmpty ? nil : name
  }

  /// `client_secret` as `CLIENT_SECRET`.
  private static func variable(_ name: ArraySlice<UInt8>) -> String {
    let letters = name.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & ~0x20
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
