import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Breaches as warnings of the envelope: their pointers go into what was sent.
@Suite struct ContractWarningsTests {
  private func warnings(
    _ payload: String, _ service: PushService = .fcm, on platform: Platform? = .android,
    isAccepted: Bool = true
  ) throws -> [String] {
    ContractDirectory().warnings(
      of: RecordedPush(
        service: service, isAccepted: isAccepted, platform: platform, isToToken: true, topic: nil,
        pushType: nil, priority: nil, payload: try json(payload),
        receivedAt: Timestamp(milliseconds: 0)), ContractSettings()
    ).map { "\($0.code) \($0.pointer)" }
  }

  private let campaign = #"{"delivery_id":"d","x":1}"#
  private var string: String { #""{\"delivery_id\":\"d\",\"x\":1}""# }

  @Test func `a breach on iOS is pointed at`() throws {
    #expect(
      try warnings(#"{"aps":{"alert":"A"},"respondo":\#(campaign)}"#, .apns, on: .ios)
        == ["contract-value-not-string /respondo/x"])
  }

  @Test func `a breach on Android is pointed at as far as JSON goes`() throws {
    #expect(
      try warnings(#"{"message":{"notification":{"title":"T"},"data":{"respondo":\#(string)}}}"#)
        == ["contract-value-not-string /message/data/respondo"])
  }

  @Test func `Android's own data and notification count`() throws {
    #expect(
      try warnings(
        #"{"message":{"android":{"notification":{"title":"T"},"data":{"respondo":\#(string)}},"#
          + #""data":{"respondo":"[]"}}}"#)
        == ["contract-value-not-string /message/android/data/respondo"])
    #expect(
      try warnings(
        #"{"message":{"androidV2":{"remoteNotification":{"notification":{"title":"T"}}},"#
          + #""data":{"respondo":\#(string)}}}"#)
        == ["contract-value-not-string /message/data/respondo"])
    #expect(
      try warnings(#"{"message":{"data":{"respondo":"{\"delivery_id\":\"d\"}"}}}"#)
        == ["contract-no-alert /message/data/respondo"])
  }

  @Test func `FCM brings an iOS app an object by apns payload, and a string by data`() throws {
    let own = #""apns":{"payload":{"aps":{"alert":"A"},"respondo":\#(campaign)}}"#
    let data = #""data":{"respondo":\#(string)}"#
    #expect(
      try warnings(#"{"message":{\#(own),\#(data)}}"#, on: .ios)
        == ["contract-value-not-string /message/apns/payload/respondo/x"])
    #expect(
      try warnings(#"{"message":{"notification":{"body":"B"},\#(data)}}"#, on: .ios)
        == ["contract-wrong-form /message/data/respondo"])
  }

  @Test func `a message to many is read as each platform would get it`() throws {
    let own = #""apns":{"payload":{"aps":{"alert":"A"},"respondo":\#(campaign)}}"#
    let text =
      #"{"message":{"topic":"t","notification":{"title":"T"},\#(own),"data":{"respondo":\#(string)}}}"#
    #expect(
      try warnings(text, on: nil) == [
        "contract-value-not-string /message/data/respondo",
        "contract-value-not-string /message/apns/payload/respondo/x",
      ])
  }

  // FCM refuses values of data that are no strings, and the contract says what the SDK would need.
  @Test func `an object in data is a breach, though FCM refused it`() throws {
    #expect(
      try warnings(
        #"{"message":{"token":"t","notification":{"title":"T"},"data":{"respondo":\#(campaign)}}}"#,
        on: nil, isAccepted: false)
        == ["contract-wrong-form /message/data/respondo"])
  }

  @Test func `other services and payloads without the key have no warning`() throws {
    #expect(try warnings(#"{"respondo":{}}"#, .oauth).isEmpty)
    #expect(try warnings(#"{"message":{"data":{"k":"v"}}}"#).isEmpty)
    #expect(try warnings("[]").isEmpty)
    #expect(try warnings(#"{"message":7}"#, on: nil).isEmpty)
    #expect(try warnings("null", .apns, on: .ios).isEmpty)
  }

  @Test func `web apps get a string`() throws {
    #expect(
      try warnings(
        #"{"message":{"webpush":{"data":{"respondo":"x"},"notification":{"title":"T"}}}}"#, on: .web
      )
        == ["contract-not-json /message/webpush/data/respondo"])
  }
}
