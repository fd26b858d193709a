import PushpitHTTPTypes
import Testing

@testable import PushpitFCM

@Suite struct GoogleErrorAvailabilityTests {
  private func answer(_ error: GoogleError) -> (head: ResponseHead, text: String) {
    var head = ResponseHead()
    var body: [UInt8] = []
    FCMResponse.write(.failed(error), to: &head, body: &body)
    return (head, String(decoding: body, as: UTF8.self))
  }

  private func envelope(_ code: Int, _ message: String, _ status: String) -> String {
    """
    {
      "error": {
        "code": \(code),
        "message": "\(message)",
        "status": "\(status)",
        "details": [
          {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "\(status)"
          }
        ]
      }
    }

    """
  }

  @Test func `INTERNAL has the code of Google's page and the common text`() {
    let answer = answer(.internalError)
    #expect(answer.head.status == 500)
    #expect(answer.text == envelope(500, "Internal error encountered.", "INTERNAL"))
    #expect(answer.head.fields.text("retry-after") == nil)
  }

  @Test func `UNAVAILABLE may say in seconds when to come back`() {
    for seconds in [nil, 30] {
      let answer = answer(.unavailable(retryAfter: seconds))
      #expect(answer.head.status == 503)
      #expect(
        answer.text == envelope(503, "The service is currently unavailable.", "UNAVAILABLE"))
      #expect(answer.head.fields.text("retry-after") == seconds.map { "\($0)" })
    }
  }
}
