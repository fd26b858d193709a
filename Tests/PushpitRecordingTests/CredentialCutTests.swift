import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct CredentialCutTests {
  /// All text of the envelope that was recorded from these parts.
  private func recorded(
    keeping: Bool = false, _ change: (inout DraftParts) -> Void
  ) throws -> Envelope {
    let store = EnvelopeStore(recordsCredentials: keeping)
    return try #require(store.envelope(store.append(DraftParts(), change)))
  }

  @Test(arguments: [
    ("bearer secret.secret", "bearer sha256:c0ffee"),
    ("Bearer secret", "Bearer sha256:c0ffee"),
    ("key=secret", "key=sha256:c0ffee"),
    ("secret", "sha256:c0ffee"),
    ("secret.dots secret", "sha256:c0ffee"),
    ("", "sha256:c0ffee"),
  ])
  func `of a credential field the scheme and a hash are kept`(
    value: String, shown: String
  ) throws {
    let envelope = try recorded {
      $0.head.fields = FieldList(["a": "b", "Authorization": value, "c": "d"])
    }
    #expect(envelope.headers.map(\.value) == ["b", shown, "d"])
    #expect(envelope.headers.map(\.name) == ["a", "Authorization", "c"])
  }

  @Test func `a second or another credential field is cut too`() throws {
    let envelope = try recorded {
      $0.head.fields = FieldList([
        "authorization": "bearer one", "authorization": "bearer two",
        "x-goog-api-key": "three", "proxy-authorization": "basic four",
      ])
    }
    #expect(
      envelope.headers.map(\.value)
        == ["bearer sha256:c0ffee", "bearer (cut)", "(cut)", "basic (cut)"])
  }

  @Test(arguments: [
    ("/v1/p?access_token=secret&alt=json", "/v1/p?access_token=(cut)&alt=json"),
    ("/v1/p?alt=json&oauth_token=secret", "/v1/p?alt=json&oauth_token=(cut)"),
    ("/v1/p?key=secret", "/v1/p?key=(cut)"),
    ("/v1/p?acc%65ss_token=secret", "/v1/p?acc%65ss_token=(cut)"),
    ("/v1/p?access_token=", "/v1/p?access_token="),
    ("/v1/p?a=b", "/v1/p?a=b"),
  ])
  func `secrets of a query are cut`(target: String, kept: String) throws {
    #expect(try recorded { $0.head.target = Array(target.utf8) }.path == kept)
  }

  @Test(arguments: [
    ("grant_type=g&assertion=secret", "grant_type=g&assertion=(cut)"),
    (
      "client_id=c&client_secret=secret&refresh_token=secret",
      "client_id=c&client_secret=(cut)&refresh_token=(cut)"
    ),
    ("grant_type=refresh_token&token=secret", "grant_type=refresh_token&token=(cut)"),
    (#"{"assertion": "secret", "a": [1]}"#, #"{"assertion":"(cut)","a":[1]}"#),
    (#"{"assertion": "secret"#, "(cut)"),
    (#"{ "a" : 1 }"#, #"{ "a" : 1 }"#),
    ("Assertion=secret&Refresh_Token=secret", "Assertion=(cut)&Refresh_Token=(cut)"),
    (
      "a=b;assertion%20=secret\r\nclientSecret=secret", "a=b&assertion%20=(cut)&&clientSecret=(cut)"
    ),
    (#"{"clientSecret": "secret"}"#, #"{"clientSecret":"(cut)"}"#),
    ("{&grant_type=g&assertion=secret", "(cut)"),
  ])
  func `secrets of an authorization request are cut`(body: String, kept: String) throws {
    let envelope = try recorded {
      $0.outcome.service = .oauth
      $0.body = Array(body.utf8)
    }
    #expect(String(decoding: envelope.body, as: UTF8.self) == kept)
  }

  @Test(arguments: PushService.allCases)
  func `a form with an assertion is cut at every service`(service: PushService) throws {
    let envelope = try recorded {
      $0.outcome.service = service
      $0.head.fields = FieldList(["content-type": "Application/x-www-form-urlencoded"])
      $0.body = Array("assertion=secret".utf8)
    }
    #expect(String(decoding: envelope.body, as: UTF8.self) == "assertion=(cut)")
  }

  @Test(arguments: [
    ("Basic secret", "Basic (cut)"), ("key=secret", "key=(cut)"), ("SECRETcookie x", "(cut)"),
    ("secret", "(cut)"),
  ])
  func `only a known scheme is kept of a credential`(value: String, kept: String) throws {
    let envelope = try recorded {
      $0.outcome.credential = nil
      $0.head.fields = FieldList(["authorization": value])
    }
    #expect(envelope.headers.first?.value == kept)
  }

  @Test func `a form without its content type at a push path is cut too`() throws {
    let envelope = try recorded { $0.body = Array("assertion=secret&a=b".utf8) }
    #expect(String(decoding: envelope.body, as: UTF8.self) == "assertion=(cut)&a=b")
  }

  @Test func `a multipart body that names a credential is not kept`() throws {
    let envelope = try recorded {
      $0.outcome.service = .fcm
      $0.head.fields = FieldList(["content-type": "multipart/mixed; boundary=b"])
      $0.body = Array("--b\r\nAuthorization: Bearer secret\r\n".utf8)
    }
    #expect(String(decoding: envelope.body, as: UTF8.self) == "(cut)")
  }

  @Test func `a push's body is kept byte for byte`() throws {
    let body = #" {"assertion" : "of a payload", "access_token": 1 }"#
    #expect(try recorded { $0.body = Array(body.utf8) }.body == Array(body.utf8))
  }

  @Test func `credentials are kept whole when that was asked for`() throws {
    let envelope = try recorded(keeping: true) {
      $0.outcome.service = .oauth
      $0.head.target = Array("/token?access_token=secret".utf8)
      $0.body = Array("assertion=secret".utf8)
    }
    #expect(envelope.headers.first?.value.hasPrefix("bearer eyJ") == true)
    #expect(envelope.path == "/token?access_token=secret")
    #expect(envelope.body == Array("assertion=secret".utf8))
  }
}
