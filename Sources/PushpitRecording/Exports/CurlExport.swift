internal import PushpitHTTPTypes
internal import PushpitModel

/// A curl command line that sends a recorded request again, byte for byte where curl lets one.
///
/// curl writes `host` before every other field; the order of the others is kept.
struct CurlExport {
  /// A body up to this many bytes is an argument; Linux takes none over 128 KiB.
  static let argumentLimit = 65_536

  private let envelope: Envelope
  private let gateway: GatewayAddress
  private let body: ExportText

  init(_ envelope: Envelope, at gateway: GatewayAddress) throws(ExportRefusal) {
    self.envelope = envelope
    self.gateway = gateway
    body = try envelope.exportedBody()
  }

  /// The command, one option a line.
  var commandLine: String {
    let isPiped = isPiped
    var words = ["curl " + connectionOptions.joined(separator: " ")]
    words.append(methodOption)
    words += fieldOptions.map { "--header " + $0 }
    if !body.pieces.isEmpty {
      words.append("--data-binary " + (isPiped ? "@-" : ShellText.word(body)))
    }
    words.append(contentsOf: targetWords)
    return (isPiped ? bodyWriter + " |\n" : "") + words.joined(separator: " \\\n  ") + "\n"
  }

  private var isClear: Bool { envelope.tls == nil }

  private var base: String { gateway.base(host: envelope.host, isClear: isClear) }

  private var connectionOptions: [String] {
    let version =
      switch envelope.httpProtocol {
      case .http2: isClear ? "--http2-prior-knowledge" : "--http2"
      case .http1: "--http1.1"
      }
    var options = ["--include", version]
    if !isClear { options.append("--cacert " + ShellText.word(gateway.caPath)) }
    if envelope.credential?.kind == .certificate { options.append(#"--cert "$CERTIFICATE""#) }
    return options
  }

  /// With `--request HEAD` curl waits for a body that never comes.
  private var methodOption: String {
    envelope.method == "HEAD" && body.pieces.isEmpty
      ? "--head" : "--request " + ShellText.word(envelope.method)
  }

  /// The fields in their order; what curl would add by itself is taken away first.
  private var fieldOptions: [String] {
    var recorded: Set<String> = []
    var options: [String] = []
    if let host = envelope.host, !base.hasSuffix("://" + host) {
      options.append(ShellText.word("host: " + host))
    }
    for field in envelope.fields {
      let name = String(decoding: field.name, as: UTF8.self).lowercased()
      // With variables the body has another length, which curl counts.
      if name == "host" || name == "content-length" && body.hasVariables { continue }
      recorded.insert(name)
      options.append(option(field))
    }
    let added = addedByCurl.filter { !recorded.contains($0) }.map { ShellText.word($0 + ":") }
    return added + options
  }

  private var addedByCurl: [String] {
    var names = ["user-agent", "accept"]
    guard !body.pieces.isEmpty else { return names }
    names.append("content-type")
    switch envelope.httpProtocol {
    case .http2: if !body.hasVariables { names.append("content-length") }
    case .http1: names.append("expect")
    }
    return names
  }

  /// `name: value`; a semicolon instead is how curl is told that the value is empty.
  private func option(_ field: Envelope.Field) -> String {
    let value = ExportText(field, of: envelope)
    if value.pieces.isEmpty { return ShellText.word(ExportText(field.name + [UInt8(ascii: ";")])) }
    return ShellText.word(ExportText(field.name + Array(": ".utf8)) + value)
  }

  /// The URL; a target that curl would change on the way is given beside it.
  private var targetWords: [String] {
    let target = ExportText(envelope.target, cutFor: envelope.service)
    if isKeptByCurl(envelope.target) {
      return ["--path-as-is " + ShellText.word(ExportText(Array(base.utf8)) + target)]
    }
    return ["--request-target " + ShellText.word(target), ShellText.word(base)]
  }

  private func isKeptByCurl(_ target: [UInt8]) -> Bool {
    guard target.first == UInt8(ascii: "/"), target.last != UInt8(ascii: "?") else { return false }
    // `(` and `)` are those of what was cut.
    return target.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
        || "-._~:/@!$&()+,;=?".utf8.contains(byte)
    }
  }

  /// A body that is no argument: too long, not text, or beginning with curl's sign for a file.
  private var isPiped: Bool {
    guard let first = body.pieces.first else { return false }
    if case .bytes(let bytes) = first, bytes.first == UInt8(ascii: "@") { return true }
    return envelope.body.count > Self.argumentLimit || !ShellText.isText(envelope.body)
  }

  /// A command that writes the body.
  private var bodyWriter: String {
    let commands = body.pieces.map { piece in
      switch piece {
      case .variable(let name): "printf %s \"$\(name)\""
      case .bytes(let bytes) where ShellText.isText(bytes):
        "printf %s " + ShellText.word(ExportText(bytes))
      case .bytes(let bytes): "printf %s \(Base64Text.encode(bytes)) | base64 --decode"
      }
    }
    return commands.count == 1 ? commands[0] : "{ " + commands.joined(separator: "; ") + "; }"
  }
}
