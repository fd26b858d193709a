import Testing

@testable import PushpitModel

@Suite struct TokenShapeTests {
  private static let registrationToken = "cAPs7kQ9R0m:APA91b" + String(repeating: "x", count: 134)

  @Test(arguments: [
    (String(repeating: "0aF1", count: 16), TokenKind.apns),
    (String(repeating: "a", count: 200), .apns), (String(repeating: "a", count: 62), .malformed),
    (String(repeating: "a", count: 65), .malformed),
    (String(repeating: "a", count: 202), .malformed),
    (String(repeating: "g", count: 64), .malformed), (registrationToken, .fcm),
    ("cAPs7kQ9R0m%3A" + String(repeating: "x", count: 100), .fcm),
    ("cAPs7kQ9R0m%3a" + String(repeating: "x", count: 100), .fcm),
    ("cAPs7kQ9R0m:" + String(repeating: "x", count: 99), .malformed),
    ("cAPs7kQ9R0:" + String(repeating: "x", count: 100), .malformed),
    (registrationToken + ":", .malformed), ("cAPs7kQ9R0m%3", .malformed),
    (String(repeating: "x", count: 200), .malformed), ("fiHc_h5ierxceZ8XZ2JEBS", .fid),
    ("fiHc/h5ierxceZ8XZ2JEBS", .malformed), ("", .malformed),
  ])
  func `the kind of a token is told by its bytes`(_ token: String, _ kind: TokenKind) {
    #expect(TokenShape.kind(of: Array(token.utf8)) == kind)
    #expect(TokenShape.kind(of: Array(token.utf8)[...]) == kind)
  }
}
