import PushpitFCM
import PushpitJSON
import PushpitModel
import Testing

@Suite struct FCMLintTests {
  private func warnings(_ message: String, service: PushService = .fcm) throws -> [PayloadWarning] {
    FCMLint.warnings(
      of: RecordedPush(
        service: service, isToToken: true, topic: nil, pushType: nil, priority: nil,
        payload: try JSONReader.parse(#"{"message":\#(message)}"#.utf8),
        receivedAt: Timestamp(milliseconds: 1_700_000_000_000)))
  }

  @Test(arguments: [
    (#"{"data":{"notification":"{}"}}"#, ["/message/data/notification"]),
    (
      #"{"data":{"k":"v","gcm.n.title":"T","googleTitle":"T"}}"#,
      ["/message/data/gcm.n.title", "/message/data/googleTitle"]
    ),
    (
      #"{"android":{"data":{"notification.title":"T"}}}"#,
      ["/message/android/data/notification.title"]
    ),
    (#"{"webpush":{"data":{"alert":"T"}}}"#, ["/message/webpush/data/alert"]),
  ])
  func `a notification that is written into data is not shown`(
    _ message: String, _ pointers: [String]
  ) throws {
    let found = try warnings(message)
    #expect(found.map(\.pointer) == pointers)
    #expect(found.allSatisfy { $0.code == "lint-notification-in-data" && !$0.text.isEmpty })
  }

  @Test(arguments: [
    #"{"data":{"title":"T","body":"B","respondo":"{}"}}"#,
    #"{"notification":{"title":"T"},"data":{"notification":"{}"}}"#,
    #"{"android":{"notification":{"title":"T"},"data":{"alert":"x"}}}"#, "{}", "[]",
    #"{"data":"notification"}"#,
  ])
  func `what is shown, or is plainly the app's own, has no warning`(_ message: String) throws {
    #expect(try warnings(message).isEmpty)
  }

  @Test func `pushes of other services are not looked at`() throws {
    #expect(try warnings(#"{"data":{"alert":"x"}}"#, service: .apns).isEmpty)
  }
}
