import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

/// Whatever a sender sends can be asked for in every form.
@Suite struct ExportFuzzTests {
  private static let secret = "S3CR3T"

  /// Bytes that mean something to shells, JSON, URLs, HTTP and terminals, and any other.
  private static func bytes(_ random: RandomSource, upTo count: Int) -> [UInt8] {
    let special = Array("'\"\\$`!\n\r\t\u{1B}\u{0}{}[]()&;|<>*?#~=%@:/ ,(cut)".utf8)
    return (0..<Int(random.next() % UInt64(count + 1))).map { _ in
      let draw = random.next()
      return draw & 1 == 0
        ? special[Int((draw >> 1) % UInt64(special.count))] : UInt8(truncatingIfNeeded: draw >> 8)
    }
  }

  private static func parts(_ random: RandomSource) -> DraftParts {
    var parts = DraftParts()
    parts.head = RequestHead(
      method: "POST", target: "/x", authority: "h",
      fields: ["authorization": "Bearer " + secret, "x-goog-api-key": secret, "accept": ""])
    let path = bytes(random, upTo: 40).filter { $0 != UInt8(ascii: "?") }
    parts.head.target = path + Array("?access_token=\(secret)".utf8)
    parts.head.authority = bytes(random, upTo: 20)
    parts.head.fields.append("x-odd", bytes(random, upTo: 40))
    parts.body = bytes(random, upTo: 200)
    switch random.next() % 3 {
    case 0: parts.body = Array(#"{"aps":{"alert":"\u0000"},"message":{"data":{"a":"'"}}}"#.utf8)
    case 1: parts.body = Array("assertion=\(secret)&a=".utf8) + parts.body
    default: break
    }
    let services = PushService.allCases
    parts.outcome.service = services[Int(random.next() % UInt64(services.count))]
    parts.outcome.topic = bytes(random, upTo: 20)[...]
    parts.outcome.app = String(decoding: bytes(random, upTo: 20), as: UTF8.self)
    return parts
  }

  @Test(arguments: ExportForm.allCases)
  func `a form is had or refused, never with a secret or what a terminal acts on`(
    form: ExportForm
  ) throws {
    let gateway = try #require(ExportFixture.gateway)
    let random = RandomSource(seed: 7)
    for _ in 0..<400 {
      let parts = Self.parts(random)
      let envelope = try #require(ExportFixture.envelope(parts))
      let text: String
      do throws(ExportRefusal) {
        let export = try form.export(envelope, at: gateway)
        text = String(decoding: export.bytes, as: UTF8.self)
      } catch {
        text = error.text
      }
      #expect(!text.contains(Self.secret))
      if form == .http { continue }
      let isHarmless = text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
      }
      #expect(isHarmless)
    }
  }

  @Test(arguments: [
    ("Bearer x", #"'authorization: Bearer '"$ACCESS_TOKEN""#),
    ("Basic x", #"'authorization: Basic '"$CLIENT_CREDENTIAL""#),
    ("key=x", #"'authorization: key='"$SERVER_KEY""#), ("x", #"'authorization: '"$ACCESS_TOKEN""#),
  ])
  func `a credential's variable is called for what it is`(value: String, option: String) {
    let text = ExportFixture.text(.curl) {
      $0.becomeMessage("{}")
      $0.head.fields = FieldList(["authorization": value])
    }
    #expect(text.contains("--header " + option))
  }
}
