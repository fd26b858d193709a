import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

extension ServiceFixture {
  /// Sends any bytes with a bearer.
  @discardableResult
  func send(bytes: [UInt8], bearer: String) -> PushOutcome {
    let request = PushRequest(
      head: RequestHead(
        method: "POST", target: "/v1/projects/demo/messages:send", authority: "localhost:2197",
        fields: ["authorization": "Bearer \(bearer)"]),
      body: bytes, isBodyCut: false, receivedAt: time.now)
    return service.respond(to: request, response: &head, body: &body)
  }
}

@Suite struct FrontEndAnswersTests {
  @Test(arguments: [
    (#"{"message":{"toen":"x"}}"#, DiagnosisCode.fieldInvalid), ("null", .fieldInvalid),
    (#"{"message":{"x":1,"#, .fieldInvalid), (#"{"message":"#, .bodyNotJSON),
    ("{} x", .bodyNotJSON),
  ])
  func `what does not fit is told from what is no JSON`(
    _ body: String, _ code: DiagnosisCode
  ) throws {
    let fixture = try ServiceFixture()
    let outcome = try fixture.send(body)
    #expect(outcome.status == 400)
    #expect(outcome.diagnosis?.code == code)
  }

  @Test func `invalid UTF-8 in a value is sent as spaces`() throws {
    let fixture = try ServiceFixture()
    let bytes =
      Array(#"{"message":{"topic":"news","data":{"a":"x"#.utf8) + [0xE2, 0x82]
      + Array(#""}}}"#.utf8)
    let outcome = fixture.send(bytes: bytes, bearer: try fixture.accessToken())
    #expect(outcome.status == 200)
    #expect(String(decoding: outcome.deviceMessage, as: UTF8.self).contains(#""a":"x  ""#))
  }

  @Test func `a body of only a byte order mark is an empty message`() throws {
    let fixture = try ServiceFixture()
    fixture.send(bytes: [0xEF, 0xBB, 0xBF], bearer: try fixture.accessToken())
    #expect(fixture.json?.pointer("/error/message") == "Recipient of the message is not set.")
  }
}
