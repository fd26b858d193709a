import PushpitHTTPTypes
import PushpitModel

@testable import PushpitRecording

/// What a test changes of a valid, accepted APNs push before it is recorded.
struct DraftParts {
  static let token = String(repeating: "ab12", count: 16)

  var head = RequestHead(
    method: "POST", target: "/3/device/" + token, authority: "api.push.apple.com",
    fields: [
      "authorization": "bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJUIn0.signature",
      "apns-topic": "com.example.app", "apns-push-type": "alert",
    ])
  var body = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
  var outcome = PushOutcome(service: .apns, workspace: .default, status: 200)
  var receivedAt = Timestamp(milliseconds: 1_768_440_615_010)
  /// How far the workspace's clock is ahead of real time.
  var workspaceLead = Duration.zero
  var isBodyCut = false
  var connection: UInt64 = 7

  init() {
    outcome.environment = .sandbox
    outcome.token = Array(Self.token.utf8)[...]
    outcome.tokenKind = .apns
    outcome.topic = Array("com.example.app".utf8)[...]
    outcome.pushType = Array("alert".utf8)[...]
    outcome.credential = CredentialFacts(
      kind: .providerToken, keyID: "ABC123DEFG", teamID: "DEF123GHIJ",
      decoded: #"{"header":{"alg":"ES256"},"claims":{"iss":"T"}}"#, fingerprint: "c0ffee")
  }

  /// A refused push with a diagnosis.
  static var refused: DraftParts {
    var parts = DraftParts()
    parts.outcome.status = 400
    parts.outcome.reason = "BadDeviceToken"
    parts.outcome.diagnosis = Diagnosis(
      .fcmTokenAtAPNs, what: "This is a registration token.", fix: "Register the APNs token.")
    return parts
  }
}

extension EnvelopeStore {
  /// Records a draft made of these parts, after a change.
  @discardableResult
  func append(
    _ parts: DraftParts = DraftParts(), _ change: (inout DraftParts) -> Void = { _ in }
  ) -> EnvelopeNumber {
    var parts = parts
    change(&parts)
    let time = parts.receivedAt + parts.workspaceLead
    return append(
      PushRequest(
        head: parts.head, body: parts.body, isBodyCut: parts.isBodyCut,
        receivedAt: parts.receivedAt),
      parts.outcome,
      EnvelopeOrigin(
        receivedAt: time, answeredAt: time, connection: parts.connection, stream: 3,
        httpProtocol: .http2, tls: "TLSv1.3"))
  }
}

extension DeliveryStep {
  init(_ device: String, _ state: DeliveryState, _ cause: String = "because") {
    self.init(
      device: DeviceID(device), state: state, at: Timestamp(milliseconds: 1_000), cause: cause)
  }
}
