import PushpitCrypto
import PushpitModel

@testable import PushpitAPNs

extension ConformanceSection {
  static let providerTokens = ConformanceSection(
    title: "Provider token",
    rules: [
      ConformanceRule(
        "no authorization", .missingProviderToken, .authentication,
        evidence: .observed("2026, unauthenticated POST")
      ) { $0.set("authorization", nil) },
      ConformanceRule(
        "authorization of another scheme", .missingProviderToken, .authentication,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("authorization", "Basic dXNlcjpwYXNz") },
      ConformanceRule(
        "the scheme Bearer with a capital", evidence: .library("a2"),
        .scene { gateway in
          let jwt = gateway.jwt()
          return gateway.send { $0.set("authorization", "Bearer " + jwt.text) }
        }),
      rule(
        "a key that APNs does not know", .invalidProviderToken,
        .observed("September 2026, in both environments")
      ) { $0.header = #"{"alg":"ES256","kid":"UNKNOWNKEY"}"# },
      rule(
        "a key of another team", .invalidProviderToken, .observed("MongoosePush issue 119")
      ) { $0.claims = #"{"iss":"OTHERTEAM1","iat":1700000000}"# },
      rule(
        "a signature by another key", .invalidProviderToken,
        .documented("Handling notification responses from APNs")
      ) { $0 = TestJWT(key: try PrivateKey.generateP256()) },
      rule(
        "an algorithm other than ES256", .invalidProviderToken,
        .documented("Establishing a token-based connection to APNs")
      ) { $0.header = #"{"alg":"HS256","kid":"\#(Gateway.keyID)"}"# },
      ConformanceRule(
        "a token of one part", .invalidProviderToken, .authentication,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("authorization", "bearer token") },
      rule(
        "iat more than an hour ago", .expiredProviderToken, .observed("2017, apns4erl")
      ) { $0.claims = #"{"iss":"\#(Gateway.teamID)","iat":1699996399}"# },
      rule("iat in the future", nil, .assumed("no answer is known; node-apn issue 590")) {
        $0.claims = #"{"iss":"\#(Gateway.teamID)","iat":1700003600}"#
      },
      rule("iat as a fraction", nil, .library("PyAPNs2")) {
        $0.claims = #"{"iss":"\#(Gateway.teamID)","iat":1700000000.25}"#
      },
      rule("iat as a string", nil, .library("APNSwift until 2026")) {
        $0.claims = #"{"iss":"\#(Gateway.teamID)","iat":"1700000000"}"#
      },
      rule("a signature in DER", nil, .observed("2022; apnotic, Pushy and a2 send it")) {
        $0.signature = .der
      },
      rule("padded base64", nil, .library("a2, dotAPNS")) { $0.encoding = .paddedBase64 },
    ])

  /// A rule that a changed provider token shows.
  private static func rule(
    _ title: String, _ reason: APNsReason?, _ evidence: ConformanceRule.Evidence,
    _ change: @escaping @Sendable (inout TestJWT) throws -> Void
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, reason == nil ? nil : .authentication, evidence: evidence,
      .scene { gateway in
        var jwt = gateway.jwt()
        try change(&jwt)
        return gateway.send { $0.set("authorization", "bearer " + jwt.text) }
      })
  }
}
