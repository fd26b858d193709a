/// The head of an answer: a status and fields.
///
/// A session adds what its protocol needs (HTTP/1.1: reason phrase, `content-length` or
/// `transfer-encoding`, `connection`) and nothing else, so an answer is exactly what a vendor sends.
package struct ResponseHead: Sendable {
  /// A status code of RFC 9110 section 15, 200 to 599.
  package var status: Int
  package var fields: FieldList

  package init(status: Int = 200, fields: FieldList = FieldList()) {
    self.status = status
    self.fields = fields
  }

  /// Makes it an empty head of this status and keeps the memory.
  package mutating func reset(status: Int) {
    self.status = status
    fields.removeAll()
  }
}

/// A whole answer: a head and a body.
package struct Response: Sendable {
  package var head: ResponseHead
  package var body: [UInt8]

  package init(status: Int = 200, fields: FieldList = FieldList(), body: [UInt8] = []) {
    head = ResponseHead(status: status, fields: fields)
    self.body = body
  }
}
