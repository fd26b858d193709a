/// Protocol names as a TLS client offers them (RFC 7301): a byte of length before each name.
enum ApplicationProtocols {
  /// Names of the wire form, in the client's order; what is cut off at the end is left out.
  static func names(_ wire: some Collection<UInt8>) -> [String] {
    ranges(wire).map { String(decoding: wire[$0], as: UTF8.self) }
  }

  /// The wire form of names.
  static func wire(_ names: [String]) -> [UInt8] {
    names.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + $0.utf8 }
  }

  /// The name to select: h2 wherever it is offered, else http/1.1.
  ///
  /// Not the client's order: httpx offers http/1.1 first and still means to speak h2, as it does with
  /// Apple and Google, whose front ends select h2. For a push name of Apple only h2: Apple never
  /// selects another, and finishes the handshake of a client that offers only http/1.1 without any
  /// (observed 2021 and 2026).
  /// - Returns: Where the name is in the wire form; nil to select none and go on.
  static func selection(
    from wire: UnsafeBufferPointer<UInt8>, serverName: String?
  ) -> Range<Int>? {
    let offered = ranges(wire)
    func range(of name: String) -> Range<Int>? {
      offered.first { UnsafeBufferPointer(rebasing: wire[$0]).elementsEqual(name.utf8) }
    }
    if let http2 = range(of: "h2") { return http2 }
    let isApple = serverName.map(isApplePushName) ?? false
    return isApple ? nil : range(of: "http/1.1")
  }

  private static func isApplePushName(_ name: String) -> Bool {
    name.lowercased().hasSuffix(".push.apple.com")
  }

  private static func ranges<Wire: Collection<UInt8>>(_ wire: Wire) -> [Range<Wire.Index>] {
    var ranges: [Range<Wire.Index>] = []
    var next = wire.startIndex
    while next < wire.endIndex {
      let start = wire.index(after: next)
      guard
        let end = wire.index(start, offsetBy: Int(wire[next]), limitedBy: wire.endIndex),
        start < end
      else { break }
      ranges.append(start..<end)
      next = end
    }
    return ranges
  }
}
