import PushpitHTTPTypes
import PushpitJSON
import PushpitModel

@testable import PushpitRecording

/// Records a draft and exports it.
enum ExportFixture {
  static let gateway = GatewayAddress([
    "gateway": "https://localhost:2197", "gatewayClear": "http://localhost:2197",
    "state": "/home/me/my state",
    "listeners": [
      ["kind": "gateway", "port": 2197], ["kind": "gateway", "port": 2196],
      ["kind": "console", "port": 8197],
    ],
  ])

  static func envelope(
    _ parts: DraftParts = DraftParts(), recordsCredentials: Bool = false,
    _ change: (inout DraftParts) -> Void = { _ in }
  ) -> Envelope? {
    let store = EnvelopeStore(countLimit: 1, recordsCredentials: recordsCredentials)
    return store.envelope(store.append(parts, change))
  }

  /// The text of an export; of a refusal, its sentence.
  static func text(
    _ form: ExportForm, recordsCredentials: Bool = false,
    _ change: (inout DraftParts) -> Void = { _ in }
  ) -> String {
    guard let gateway,
      let envelope = envelope(recordsCredentials: recordsCredentials, change)
    else { return "nothing was recorded" }
    do throws(ExportRefusal) {
      return String(decoding: try form.export(envelope, at: gateway).bytes, as: UTF8.self)
    } catch {
      return "refused: " + error.text
    }
  }
}

extension DraftParts {
  /// Makes it a message of FCM to an Android app.
  mutating func becomeMessage(_ message: String) {
    head = RequestHead(
      method: "POST", target: "/v1/projects/p/messages:send", authority: "fcm.googleapis.com",
      fields: ["authorization": "Bearer ya29.secret"])
    body = Array(#"{"message":\#(message)}"#.utf8)
    outcome = PushOutcome(service: .fcm, workspace: .default, status: 200)
    outcome.app = "com.example.app"
  }
}
