import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct SenderAnalysisTests {
  private let store = EnvelopeStore()
  private let analysis = SenderAnalysis(of: .default)
  private static let start = Timestamp(milliseconds: 1_768_440_615_010)

  /// Records a push so long after the start, on a connection of its own unless another is named.
  @discardableResult
  private func push(
    at seconds: Double = 0, token: String = "ab12", title: String = "Hi", status: Int = 200,
    reason: String? = nil, connection: UInt64 = 7, credential: String = "c0ffee",
    _ change: (inout PushOutcome) -> Void = { _ in }
  ) -> EnvelopeNumber {
    var outcome = PushOutcome(service: .apns, workspace: .default, status: status)
    outcome.token = Array(token.utf8)[...]
    outcome.tokenKind = .apns
    outcome.reason = reason
    outcome.credential = CredentialFacts(
      kind: .providerToken, keyID: "KEY", teamID: "TEAM", fingerprint: credential)
    change(&outcome)
    let time = Self.start + .milliseconds(Int64(seconds * 1000))
    return store.append(
      PushRequest(
        head: RequestHead(method: "POST", target: "/3/device/\(token)"), body: Array(title.utf8),
        receivedAt: time), outcome,
      EnvelopeOrigin(
        receivedAt: time, answeredAt: time, connection: connection, stream: 1, httpProtocol: .http2,
        tls: nil))
  }

  private func fcm(
    at seconds: Double = 0, title: String, status: Int = 200, reason: String? = nil,
    credential: String = "access"
  ) {
    push(at: seconds, token: "f:APA91b", title: title, status: status, reason: reason) {
      $0.service = .fcm
      $0.project = Array("demo".utf8)[...]
      $0.credential = CredentialFacts(
        kind: .accessToken, serviceAccount: "a@demo", fingerprint: credential)
    }
  }

  private var found: [String: Int] {
    analysis.catchUp(store)
    return Dictionary(
      uniqueKeysWithValues: analysis.allFindings.map { ($0.code.rawValue, $0.count) })
  }

  private var json: JSONValue {
    analysis.catchUp(store)
    var writer = JSONWriter(style: .compact)
    analysis.json(into: &writer)
    return (try? JSONReader.parse(writer.bytes)) ?? .null
  }

  @Test func `a good sender has no findings`() {
    for number in 0..<50 { push(at: Double(number), title: "Hi \(number)") }
    #expect(found.isEmpty)
    #expect(json["verdict"]?.stringValue == "50 pushes, and nothing that a vendor would punish.")
    #expect(json.pointer("/connections/pushesPerConnection")?.doubleValue == 50)
    #expect(json.pointer("/tokens/keep/total")?.intValue == 1)
  }

  @Test func `one that sends a 410 again is named, with the envelopes`() throws {
    push(status: 410, reason: "Unregistered")
    let again = push(at: 5, status: 410, reason: "Unregistered")
    push(at: 6, title: "Other", status: 410, reason: "Unregistered")
    #expect(found == ["retry-after-refusal": 1, "sent-to-dead-token": 2])
    let finding = try #require(json["findings"]?.arrayValue?.last)
    #expect(finding["code"]?.stringValue == "retry-after-refusal")
    #expect(finding["statuses"] == [410])
    #expect(finding["evidence"] == ["e1", .string(EnvelopeID.text(again))])
    #expect(json.pointer("/tokens/prune/items/0/reason")?.stringValue == "Unregistered")
  }

  @Test func `one that sends again what was refused for good is named, a changed push is not`() {
    push(status: 400, reason: "BadPriority")
    push(at: 1, title: "Mended")
    push(at: 2, title: "Other", status: 413, reason: "PayloadTooLarge")
    push(at: 3, title: "Other", status: 413, reason: "PayloadTooLarge")
    #expect(found == ["retry-after-refusal": 1])
  }

  @Test(arguments: [
    (429, "TooManyRequests"), (503, "ServiceUnavailable"), (403, "ExpiredProviderToken"),
  ])
  func `one that sends again what may pass later is not named`(status: Int, reason: String) {
    push(status: status, reason: reason)
    push(at: 30, credential: "new")
    #expect(found.isEmpty)
  }

  @Test func `one that sends twice after a time-out is named`() {
    push()
    push(at: 10, connection: 8)
    push(at: 200, connection: 8)
    #expect(found == ["duplicate-push": 1])
  }

  @Test func `the same text to others is no duplicate`() {
    push(token: "aa")
    push(token: "bb")
    push(token: "aa") { $0.topic = Array("com.example.other".utf8)[...] }
    #expect(found.isEmpty)
  }

  @Test func `one that does not wait after 429 is named`() {
    push(status: 429, reason: "TooManyRequests")
    push(at: 0.5, title: "Next")
    push(token: "other", title: "Other")
    push(at: 5, title: "Later")
    #expect(found == ["no-backoff": 1])
  }

  @Test func `at FCM the pause is the project's`() {
    fcm(title: "1", status: 429, reason: "QUOTA_EXCEEDED")
    fcm(at: 0.9, title: "2")
    #expect(found == ["no-backoff": 1])
  }

  @Test func `a connection for each push is named, one in a while is not`() {
    for number in 0..<10 { push(title: "\(number)", connection: UInt64(number)) }
    #expect(found == ["connection-per-push": 10])
    for number in 0..<12 { push(title: "more \(number)", connection: 99) }
    #expect(found.isEmpty)
  }

  @Test func `a provider token for each push is named, one in 20 minutes is not`() {
    for number in 0..<4 {
      push(at: Double(number), title: "\(number)", credential: "t\(number)")
    }
    #expect(found == ["too-many-provider-tokens": 4])
    let calm = SenderAnalysis(of: WorkspaceID("calm"))
    for number in 0..<4 {
      push(at: Double(number) * 1201, title: "\(number)", credential: "t\(number)") {
        $0.workspace = WorkspaceID("calm")
      }
    }
    calm.catchUp(store)
    #expect(calm.allFindings.isEmpty)
  }

  @Test func `one that does not sign again after ExpiredProviderToken is named, with its key`() {
    push(status: 403, reason: "ExpiredProviderToken")
    push(at: 1, title: "Next", status: 403, reason: "ExpiredProviderToken")
    #expect(found == ["stale-provider-token": 1])
    #expect(json.pointer("/findings/0/credentials") == ["KEY"])
  }

  @Test func `access tokens are to be kept, and renewed when they have expired`() {
    for number in 0..<3 {
      push(token: "", title: "\(number)") { $0.service = .oauth }
      fcm(title: "\(number)", credential: "access\(number)")
    }
    #expect(found == ["access-token-per-push": 3])
    fcm(title: "4", status: 401, reason: "ACCESS_TOKEN_EXPIRED")
    fcm(title: "5", status: 401, reason: "ACCESS_TOKEN_EXPIRED")
    #expect(found["stale-access-token"] == 1)
  }

  @Test func `tokens of the other vendor are to be fixed`() {
    push(token: "f:APA91b", status: 400, reason: "BadDeviceToken") {
      $0.diagnosis = Diagnosis(.fcmTokenAtAPNs, what: "", fix: "")
    }
    #expect(found == ["misrouted-token": 1])
    #expect(json.pointer("/tokens/fix/items/0/diagnosis")?.stringValue == "fcm-token-at-apns")
  }

  @Test func `a token that is good again is kept`() {
    push(status: 410, reason: "Unregistered")
    push(title: "After the reinstall")
    #expect(json.pointer("/tokens/keep/total")?.intValue == 1)
  }

  @Test func `other workspaces are not looked at, nor anything twice`() {
    push { $0.workspace = WorkspaceID("ci") }
    push(title: "1")
    #expect(json["pushes"]?.intValue == 1)
    push(title: "2")
    #expect(json["pushes"]?.intValue == 2)
  }

  @Test func `each finding says what and what to do`() {
    for code in FindingCode.allCases {
      #expect(code.what(2).count > 20 && code.fix.count > 20)
      #expect(code.what(1) != code.what(2))
    }
  }
}
