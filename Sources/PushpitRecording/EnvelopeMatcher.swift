internal import PushpitModel

/// A query made ready to be asked of very many records without decoding them.
struct EnvelopeMatcher {
  private let query: EnvelopeQuery
  private let pieces: [(piece: RecordPiece, text: [UInt8])]
  private let token: [UInt8]?
  private let words: [TextSearch]

  init(_ query: EnvelopeQuery) {
    self.query = query
    let exact: [(RecordPiece, String?)] = [
      (.workspace, query.workspace?.rawValue), (.reason, query.reason), (.topic, query.topic),
      (.project, query.project), (.app, query.app), (.collapse, query.collapse),
    ]
    pieces = exact.compactMap { piece, text in text.map { (piece, Array($0.utf8)) } }
    token = query.token.map { Array($0.utf8) }
    words = query.words.split(whereSeparator: \.isWhitespace).map { TextSearch(word: String($0)) }
  }

  /// Whether a record matches, its bytes, annotation and later steps given.
  func matches(
    _ record: EnvelopeRecord, bytes: RecordByteReader, annotation: EnvelopeAnnotation?,
    laterSteps: [DeliveryStep]
  ) -> Bool {
    if let service = query.service, service != record.service { return false }
    if let accepted = query.isAccepted, accepted != record.flags.contains(.accepted) {
      return false
    }
    if let since = query.since, record.receivedAt < since { return false }
    if let until = query.until, record.receivedAt >= until { return false }
    if let code = query.diagnosis, annotation?.diagnosis?.code.rawValue != code { return false }
    if let device = query.device, record.firstStep?.device != device,
      !laterSteps.contains(where: { $0.device == device })
    {
      return false
    }
    guard pieces.allSatisfy({ bytes.piece($0.piece).elementsEqual($0.text) }) else { return false }
    return matchesToken(bytes, kind: record.tokenKind)
      && words.allSatisfy { isFound($0, bytes, annotation) }
  }

  private func matchesToken(_ bytes: RecordByteReader, kind: TokenKind?) -> Bool {
    guard let token else { return true }
    let recorded = bytes.piece(.token)
    guard kind == .apns, recorded.count == token.count else {
      return recorded.elementsEqual(token)
    }
    return zip(recorded, token).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && $0 >= 0x40) }
  }

  private func isFound(
    _ word: TextSearch, _ bytes: RecordByteReader, _ annotation: EnvelopeAnnotation?
  ) -> Bool {
    if word.isFound(in: bytes.piece(.body)) || word.isFound(in: bytes.piece(.fields))
      || word.isFound(in: bytes.piece(.target)) || word.isFound(in: bytes.piece(.reason))
    {
      return true
    }
    guard let diagnosis = annotation?.diagnosis else { return false }
    return word.isFound(in: diagnosis.code.rawValue) || word.isFound(in: diagnosis.what)
      || word.isFound(in: diagnosis.fix)
  }
}
