import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct HTTPExportTests {
  @Test func `a push is a message of HTTP 1`() {
    #expect(
      ExportFixture.text(.http)
        == [
          "POST /3/device/\(DraftParts.token) HTTP/1.1", "host: api.push.apple.com",
          "authorization: bearer $PROVIDER_TOKEN", "apns-topic: com.example.app",
          "apns-push-type: alert", "content-length: 25", "", #"{"aps":{"alert":"Hello"}}"#,
        ].joined(separator: "\r\n"))
  }

  @Test func `the length is that of the body that is shown`() {
    let text = ExportFixture.text(.http) {
      $0.outcome.service = .oauth
      $0.head = RequestHead(
        method: "POST", target: "/token?access_token=abc", authority: "oauth2.googleapis.com",
        fields: [
          "Host": "oauth2.googleapis.com", "Transfer-Encoding": "chunked", "Content-Length": "99",
          "X": "y",
        ])
      $0.body = Array("assertion=a.b.c".utf8)
    }
    #expect(
      text
        == [
          "POST /token?access_token=$ACCESS_TOKEN HTTP/1.1", "Host: oauth2.googleapis.com",
          "content-length: 20", "X: y", "", "assertion=$ASSERTION",
        ].joined(separator: "\r\n"))
  }

  @Test func `a body may be any bytes`() throws {
    let gateway = try #require(ExportFixture.gateway)
    let envelope = try #require(ExportFixture.envelope { $0.body = [0, 0xFF, 0x0A] })
    let export = try ExportForm.http.export(envelope, at: gateway)
    #expect(export.bytes.suffix(7) == [13, 10, 13, 10, 0, 0xFF, 0x0A])
    #expect(export.contentType == "message/http")
  }
}
