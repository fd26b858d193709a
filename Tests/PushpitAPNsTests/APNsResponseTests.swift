import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitAPNs

/// The bytes of a refusal, which come from the catalogue of reasons alone.
@Suite struct APNsResponseTests {
  private static let diagnosis = Diagnosis(DiagnosisCode("test"), what: "what", fix: "fix")

  private func answer(_ reason: APNsReason, since: Timestamp? = nil) -> (ResponseHead, String) {
    var head = ResponseHead(status: 599)
    var body = Array("left over".utf8)
    APNsResponse.refuse(
      &head, &body, APNsRefusal(reason, Self.diagnosis, since: since),
      id: Array("AF8CC1EC-A0C4-573B-5D00-92A49AC32335".utf8)[...], wire: .observed)
    return (head, String(decoding: body, as: UTF8.self))
  }

  // Apple: Handling notification responses from APNs; the form was observed 2018 and 2026.
  @Test(arguments: APNsReason.allCases)
  func `every reason is one compact object, with apns-id alone`(reason: APNsReason) {
    let (head, body) = answer(reason)
    #expect(head.status == reason.status)
    #expect(head.fields.pairs.map(\.name) == ["apns-id"])
    #expect(body == #"{"reason":"\#(reason.rawValue)"}"#)
  }

  @Test(arguments: [APNsReason.unregistered, .expiredToken])
  func `410 has a timestamp in milliseconds`(reason: APNsReason) {
    let (head, body) = answer(reason, since: Timestamp(milliseconds: 1_454_948_015_990))
    #expect(head.status == 410)
    #expect(body == #"{"reason":"\#(reason.rawValue)","timestamp":1454948015990}"#)
  }

  @Test func `a server's errors have their documented texts and statuses`() {
    #expect(answer(.internalServerError).0.status == 500)
    #expect(answer(.internalServerError).1 == #"{"reason":"InternalServerError"}"#)
    #expect(answer(.serviceUnavailable).0.status == 503)
    #expect(answer(.serviceUnavailable).1 == #"{"reason":"ServiceUnavailable"}"#)
    #expect(answer(.shutdown).1 == #"{"reason":"Shutdown"}"#)
  }
}
