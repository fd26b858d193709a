import Foundation
import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// Bodies made from good ones by small damage, the same for the same seed.
struct BodyGenerator {
  static let seeds = [
    #"{"message":{"token":"abc:APA91b","data":{"k":"v","é":"ü"},"notification":{"title":"t"}}}"#,
    #"{"validate_only":true,"message":{"topic":"news","android":{"ttl":"3.5s","priority":"high","#
      + #""notification":{"vibrate_timings":["1s"],"title_loc_args":["a"],"notification_count":3,"#
      + #""light_settings":{"color":{"red":0.5,"alpha":1},"light_on_duration":"1s"}}}}}"#,
    #"{"message":{"condition":"'a' in topics && 'b' in topics","apns":{"headers":{"apns-priority":"#
      + #""5"},"payload":{"aps":{"alert":{"title":"\u00e9\ud83d\ude00"},"badge":1}}}}}"#,
    #"{"message":{"fid":"cAPs7kQ9R0m","webpush":{"headers":{"TTL":"3"},"notification":{"x":[1,{}]}},"#
      + #""androidV2":{"remoteNotification":{"notification":{"id":7}}}}}"#,
    "{'message':{topic:'a',data:{'b':'c',},},}", "", "[]", "null",
  ]
  private static let pieces = [
    "{", "}", "[", "]", ":", ",", "\"", "'", "\\", "\\u", "\\ud83d", "\\udc00", "null", "true",
    "fals",
    "1e999", "-", "0x1", "1.", "{}", "[[", "\"a\":", "x:1,", " ", "\u{FEFF}", "é",
    "\"token\":null,",
    "18446744073709551616", "\"seconds\":1", "\0",
  ].map { Array($0.utf8) }

  private let random: RandomSource
  private let good: [String]

  /// Damages these bodies, or those of its own.
  init(seed: UInt64, good: [String] = seeds) {
    random = RandomSource(seed: seed)
    self.good = good
  }

  private func below(_ bound: Int) -> Int { bound <= 0 ? 0 : Int(random.next() % UInt64(bound)) }

  /// The next body.
  func next() -> [UInt8] {
    var bytes = Array(good[below(good.count)].utf8)
    for _ in 0..<below(6) { damage(&bytes) }
    return bytes
  }

  private func damage(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    switch below(7) {
    case 0: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: place)
    case 1 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2 where place < bytes.count: bytes.remove(at: place)
    case 3: bytes.removeLast(bytes.count - place)
    case 4: bytes.insert(contentsOf: bytes.dropFirst(below(bytes.count)).prefix(24), at: place)
    case 5:
      let piece = Self.pieces[below(Self.pieces.count)]
      bytes.insert(contentsOf: (0..<below(130)).flatMap { _ in piece }, at: place)
    default:
      bytes.removeSubrange(place..<min(place + below(24), bytes.count))
    }
  }
}

/// Whatever the bytes are, the answer is one of Google's.
///
/// `PUSHPIT_FUZZ_SECONDS=600 swift test --filter FrontEndFuzzTests` goes on for ten minutes, with a seed
/// from `PUSHPIT_FUZZ_SEED` or of its own.
@Suite struct FrontEndFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["PUSHPIT_FUZZ_SECONDS"].flatMap { Int($0) }
  private static let seed =
    environment["PUSHPIT_FUZZ_SEED"].flatMap { UInt64($0) }
    ?? (seconds == nil ? 20_261_201 : UInt64.random(in: 0...UInt64.max))

  /// In the suite.
  private static let count = 8_000

  @Test func `damaged bodies are answered with JSON in Google's form`() throws {
    let fixture = try ServiceFixture()
    let bearer = try fixture.accessToken()
    let generator = BodyGenerator(seed: Self.seed)
    let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
    var statuses: [Int: Int] = [:]
    var number = 0
    while end.map({ ContinuousClock.now < $0 }) ?? (number < Self.count) {
      number += 1
      let body = generator.next()
      fixture.send(bytes: body, bearer: bearer)
      statuses[fixture.head.status, default: 0] += 1
      if let fault = Self.fault(of: fixture, body) {
        Issue.record("\(fault): seed \(Self.seed), number \(number), body \(body)")
        return
      }
    }
    // The generator has to reach all of it: sent, faulted, unknown.
    for status in [200, 400] { #expect(statuses[status, default: 0] > number / 100) }
    if Self.seconds != nil { print("fuzzed \(number) bodies, seed \(Self.seed): \(statuses)") }
  }

  /// What is wrong with an answer; nil when nothing is.
  private static func fault(of fixture: ServiceFixture, _ body: [UInt8]) -> String? {
    guard let answer = fixture.json else { return "the answer is no JSON: \(fixture.text)" }
    // A violation repeats a name or a value twice, each byte in six at most, besides its own text.
    let limit = 2 * 6 * body.count + 2 * MessageReader.violationLimit * 400 + 1000
    guard fixture.body.count <= limit else { return "the answer is \(fixture.body.count) bytes" }
    guard fixture.head.status != 200 else {
      return answer["name"]?.stringValue == nil ? "no name: \(fixture.text)" : nil
    }
    let isGoogles =
      answer.pointer("/error/code")?.intValue == fixture.head.status
      && answer.pointer("/error/message")?.stringValue?.isEmpty == false
      && answer.pointer("/error/status")?.stringValue?.isEmpty == false
    return isGoogles ? nil : "not Google's form: \(fixture.text)"
  }

  /// The generator makes the same bodies of the same seed, so that a fault can be found again.
  @Test func `a seed makes the same bodies`() {
    let (one, other) = (BodyGenerator(seed: 7), BodyGenerator(seed: 7))
    for _ in 0..<100 { #expect(one.next() == other.next()) }
  }

  /// The answer's size only; how long reading takes is not looked at.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      (#"{"message":{"#, #""a":1,"#), (#"{"message":{"data":{"#, #""a":1,"#),
      (#"{"message":{"data":{"a":["#, "[],"), (#"{"message":{"#, #""topic":"b","#),
      (#"{"message":{"apns":{"payload":{"#, #""a":{"b":[]},"#),
      (#"{"message":{"topic":""#, #"\u00e9"#),
      (#"{"message":{"android":{"notification":{"titleLocArgs":["#, #""a",[],"#),
    ])
  func `a long body of one pattern has an answer that is no longer than it`(
    _ start: String, _ pattern: String
  ) throws {
    let fixture = try ServiceFixture()
    let count = (1 << 17) / pattern.utf8.count
    let body = Array((start + String(repeating: pattern, count: count)).utf8)
    fixture.send(bytes: body, bearer: try fixture.accessToken())
    #expect(fixture.head.status == 400)
    #expect(fixture.json != nil)
    #expect(fixture.body.count < body.count)
  }
}
