import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct CurlExportTests {
  @Test func `a push is one command that can be read`() {
    let token = DraftParts.token
    #expect(
      ExportFixture.text(.curl) == """
        curl --include --http2 --cacert '/home/me/my state/ca.pem' \\
          --request POST \\
          --header user-agent: \\
          --header accept: \\
          --header content-type: \\
          --header content-length: \\
          --header 'host: api.push.apple.com' \\
          --header 'authorization: bearer '"$PROVIDER_TOKEN" \\
          --header 'apns-topic: com.example.app' \\
          --header 'apns-push-type: alert' \\
          --data-binary '{"aps":{"alert":"Hello"}}' \\
          --path-as-is https://localhost:2197/3/device/\(token)

        """)
  }

  @Test func `a credential that was kept is in the command`() {
    let text = ExportFixture.text(.curl, recordsCredentials: true)
    #expect(text.contains("'authorization: bearer eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJUIn0.signature'"))
  }

  @Test func `a certificate is a file that the caller names`() {
    let text = ExportFixture.text(.curl) {
      $0.outcome.credential = CredentialFacts(kind: .certificate, fingerprint: "c0ffee")
    }
    #expect(text.contains(#"--cert "$CERTIFICATE""#))
  }

  @Test(arguments: [
    ("localhost:2196", "https://localhost:2196/"), ("[::1]:2196", "https://[::1]:2196/"),
    ("localhost:8197", "https://localhost:2197/"), ("evil.example:2196", "https://localhost:2197/"),
    ("localhost", "https://localhost:2197/"), (":2196", "https://localhost:2197/"),
  ])
  func `the request goes to the listener that it came to`(host: String, url: String) {
    let text = ExportFixture.text(.curl) {
      $0.head = RequestHead(method: "GET", target: "/", authority: host)
    }
    let word = url.contains("[") ? "'\(url)'" : url
    #expect(text.hasSuffix("--path-as-is \(word)\n"))
    #expect(text.contains("host: ") == !url.contains(host + "/"))
  }

  @Test func `a body that is too long for an argument comes through a pipe`() {
    let limit = CurlExport.argumentLimit
    #expect(
      ExportFixture.text(.curl) { $0.body = Array(repeating: 0x61, count: limit) }
        .contains("--data-binary aaa"))
    let text = ExportFixture.text(.curl) { $0.body = Array(repeating: 0x61, count: limit + 1) }
    #expect(text.hasPrefix("printf %s aaa") && text.contains("--data-binary @-"))
  }

  @Test func `a body of which a part is missing cannot be sent`() {
    #expect(ExportFixture.text(.curl) { $0.isBodyCut = true }.hasPrefix("refused: Of envelope e1"))
    let text = ExportFixture.text(.curl) {
      $0.outcome.service = .unknown
      $0.body = Array("assertion is <secret>".utf8)
    }
    #expect(text.contains("--record-credentials"))
  }

  @Test func `variables stand in a body of JSON too`() {
    let text = ExportFixture.text(.curl) {
      $0.outcome.service = .oauth
      $0.body = Array(#"{"refresh_token" : "abc", "note": "(cut)"}"#.utf8)
    }
    #expect(text.contains(#"'{"refresh_token":"'"$REFRESH_TOKEN"'","note":"(cut)"}'"#))
    #expect(!text.contains("abc"))
  }
}
