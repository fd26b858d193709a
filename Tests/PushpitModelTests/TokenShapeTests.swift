import PushpitModel
import Testing

@Suite struct TokenShapeTests {
  static let fcm = String(repeating: "a", count: 22) + ":" + String(repeating: "B", count: 120)

  @Test(arguments: [
    (String(repeating: "a", count: 64), TokenKind.apns),
    (String(repeating: "Af09", count: 40), .apns),
    (String(repeating: "a", count: 200), .apns),
    (String(repeating: "a", count: 62), .malformed),
    (String(repeating: "a", count: 65), .malformed),
    (String(repeating: "a", count: 202), .malformed),
    (String(repeating: "g", count: 64), .malformed),
    (fcm, .fcm), (fcm.replacing(":", with: "%3A"), .fcm), (fcm.replacing(":", with: "%3a"), .fcm),
    (String(repeating: "a", count: 10) + ":" + String(repeating: "B", count: 120), .malformed),
    (String(repeating: "a", count: 22) + ":" + String(repeating: "B", count: 99), .malformed),
    (fcm + ":", .malformed), ("cXk_3-hjkLmNoPqRsTuVwX", .fid), ("", .malformed),
  ])
  func `a token's kind shows in its shape`(token: String, kind: TokenKind) {
    #expect(TokenShape.kind(of: Array(token.utf8)) == kind)
  }
}
