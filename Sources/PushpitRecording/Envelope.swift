package import PushpitHTTPTypes
package import PushpitJSON
package import PushpitModel

/// One recorded request, decoded for reading; its credentials are cut unless they were to be kept.
package struct Envelope: Sendable {
  /// The life of the envelope on one device, in order.
  package struct Delivery: Sendable, Equatable {
    package let device: DeviceID
    /// Oldest first, never empty.
    package let history: [DeliveryStep]
  }

  /// One header field as received.
  package struct Field: Sendable, Equatable {
    package let name: [UInt8]
    /// Of a credential that was cut, the scheme.
    package let value: [UInt8]
    package let isCut: Bool
  }

  package let number: EnvelopeNumber
  package let workspace: WorkspaceID
  package let receivedAt: Timestamp
  package let answeredAt: Timestamp
  package let service: PushService
  package let method: String
  /// Path and query as sent.
  package let target: [UInt8]
  /// `:authority` or `host`; nil when the request named none.
  package let host: String?
  package let environment: APNsEnvironment?
  /// In the order in which they came.
  package let fields: [Field]
  package let body: [UInt8]
  /// The body as JSON, read as its service reads it; nil when it is not JSON.
  package let payload: JSONValue?
  /// The body was longer than the limit, `body` is its beginning.
  package let isBodyCut: Bool

  package let token: String?
  package let tokenKind: TokenKind?
  package let topic: String?
  package let pushType: String?
  package let priority: UInt8?
  package let expiration: Int64?
  package let collapse: String?
  package let project: String?
  package let app: String?
  package let messageName: String?
  package let apnsID: String?
  /// The broadcast channel that the request named, or made.
  package let channel: String?
  package let credential: CredentialFacts?
  /// Of the device that an accepted push is for.
  package let platform: Platform?

  package let isAccepted: Bool
  package let status: Int
  package let reason: String?
  package let googleStatus: String?
  package let diagnosis: Diagnosis?
  /// Those that the push was answered with, then those of the lint.
  package let warnings: [PayloadWarning]

  package let connection: UInt64
  package let stream: Int64
  package let httpProtocol: HTTPProtocol
  package let tls: String?
  package let deliveries: [Delivery]

  /// The identifier of the envelope as text.
  package var id: String { EnvelopeID.text(number) }
}

extension Envelope {
  /// Decodes a record.
  init(
    _ number: EnvelopeNumber, _ record: EnvelopeRecord, _ bytes: RecordByteReader,
    annotation: EnvelopeAnnotation?, laterSteps: [DeliveryStep], lint: PushLint
  ) {
    self.number = number
    workspace = WorkspaceID(bytes.text(.workspace) ?? "")
    receivedAt = record.receivedAt
    answeredAt = record.answeredAt
    service = record.service
    method = bytes.text(.method) ?? ""
    target = Array(bytes.piece(.target))
    host = bytes.text(.authority)
    environment = record.environment
    fields = bytes.fields
    body = Array(bytes.piece(.body))
    payload = record.payload(of: body)
    isBodyCut = record.flags.contains(.bodyCut)
    token = bytes.text(.token)
    tokenKind = record.tokenKind
    topic = bytes.text(.topic)
    pushType = bytes.text(.pushType)
    priority = record.priority
    expiration = record.expiration
    collapse = bytes.text(.collapse)
    project = bytes.text(.project)
    app = bytes.text(.app)
    messageName = bytes.text(.messageName)
    apnsID = bytes.text(.apnsID)
    channel = bytes.text(.channel)
    credential = record.credential
    platform = record.platform
    isAccepted = record.flags.contains(.accepted)
    status = Int(record.status)
    reason = bytes.text(.reason)
    googleStatus = bytes.text(.googleStatus)
    diagnosis = annotation?.diagnosis
    let push = payload.map { record.recordedPush(bytes, payload: $0) }
    warnings = (annotation?.warnings ?? []) + (push.map(lint) ?? [])
    connection = record.connection
    stream = record.stream
    httpProtocol = record.httpProtocol
    tls = bytes.text(.tls)
    deliveries = Self.deliveries(record.firstStep, laterSteps)
  }

  /// Path and query as text (invalid UTF-8 repaired).
  package var path: String { String(decoding: target, as: UTF8.self) }

  /// The header fields as text; a credential that was cut reads `bearer sha256:<hex>`, where the hash is of
  /// the credential that the request was judged by, or `bearer (cut)` when it was not looked at.
  package var headers: [(name: String, value: String)] {
    // With a certificate `authorization` was not looked at, and the fingerprint is not its own.
    var fingerprint = credential.flatMap { $0.kind == .certificate ? nil : $0.fingerprint }
    return fields.map { field in
      let name = String(decoding: field.name, as: UTF8.self)
      let value = String(decoding: field.value, as: UTF8.self)
      guard field.isCut else { return (name, value) }
      var shown = CredentialCut.placeholder
      if let hash = fingerprint, field.name.count == 13 {
        shown = "sha256:\(hash)"
        fingerprint = nil
      }
      let space = value.isEmpty || value.hasSuffix("=") ? "" : " "
      return (name, value + space + shown)
    }
  }

  private static func deliveries(
    _ first: DeliveryStep?, _ later: [DeliveryStep]
  ) -> [Delivery] {
    guard let first else { return [] }
    var order: [DeviceID] = []
    var histories: [DeviceID: [DeliveryStep]] = [:]
    for step in [first] + later {
      if histories[step.device] == nil { order.append(step.device) }
      histories[step.device, default: []].append(step)
    }
    return order.map { Delivery(device: $0, history: histories[$0] ?? []) }
  }
}
