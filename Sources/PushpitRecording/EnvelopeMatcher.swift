internal import PushpitModel

/// A query made ready to be asked of very many records without decoding or copying them.
///
/// What costs least is asked first: numbers of the record, then whole pieces of its bytes, then words.
struct EnvelopeMatcher {
  private let query: EnvelopeQuery
  private let pieces: [(piece: RecordPiece, text: [UInt8])]
  private let token: [UInt8]?
  private let words: [TextSearch]

  init(_ query: EnvelopeQuery) {
    self.query = query
    let exact: [(RecordPiece, String?)] = [
      (.workspace, query.workspace?.rawValue), (.reason, query.reason), (.topic, query.topic),
      (.pushType, query.pushType), (.project, query.project), (.app, query.app),
      (.collapse, query.collapse),
    ]
    pieces = exact.compactMap { piece, text in text.map { (piece, Array($0.utf8)) } }
    token = query.token.map { Array($0.utf8) }
    words = query.words.split(whereSeparator: \.isWhitespace).map { TextSearch(word: String($0)) }
  }

  /// Whether a record matches; its annotation and later steps are asked for only where they matter.
  func matches(
    _ record: UnsafePointer<EnvelopeRecord>, bytes: RecordByteReader,
    annotation: @autoclosure () -> EnvelopeAnnotation?,
    laterSteps: @autoclosure () -> [DeliveryStep]
  ) -> Bool {
    guard matchesNumbers(record) else { return false }
    guard pieces.allSatisfy({ Self.isEqual(bytes.piece($0.piece), $0.text) }),
      matchesToken(bytes, kind: record.pointee.tokenKind)
    else { return false }
    if let device = query.device, record.pointee.firstStep?.device != device,
      !laterSteps().contains(where: { $0.device == device })
    {
      return false
    }
    if let code = query.diagnosis, annotation()?.diagnosis?.code.rawValue != code { return false }
    return words.allSatisfy { isFound($0, bytes, annotation()) }
  }

  private func matchesNumbers(_ record: UnsafePointer<EnvelopeRecord>) -> Bool {
    if let service = query.service, service != record.pointee.service { return false }
    if let accepted = query.isAccepted, accepted != record.pointee.flags.contains(.accepted) {
      return false
    }
    if let status = query.status, status != Int(record.pointee.status) { return false }
    if let since = query.since, record.pointee.receivedAt < since { return false }
    if let until = query.until, record.pointee.receivedAt >= until { return false }
    if let connection = query.connection, connection != record.pointee.connection { return false }
    return true
  }

  private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
    bytes.count == text.count && bytes.elementsEqual(text)
  }

  private func matchesToken(_ bytes: RecordByteReader, kind: TokenKind?) -> Bool {
    guard let token else { return true }
    let recorded = bytes.piece(.token)
    guard recorded.count == token.count else { return false }
    guard kind == .apns else { return recorded.elementsEqual(token) }
    return zip(recorded, token).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && $0 >= 0x40) }
  }

  private func isFound(
    _ word: TextSearch, _ bytes: RecordByteReader,
    _ annotation: @autoclosure () -> EnvelopeAnnotation?
  ) -> Bool {
    if word.isFound(in: bytes.piece(.body)) || word.isFound(in: bytes.piece(.fields))
      || word.isFound(in: bytes.piece(.target)) || word.isFound(in: bytes.piece(.reason))
    {
      return true
    }
    guard let diagnosis = annotation()?.diagnosis else { return false }
    return word.isFound(in: diagnosis.code.rawValue) || word.isFound(in: diagnosis.what)
      || word.isFound(in: diagnosis.fix)
  }
}
