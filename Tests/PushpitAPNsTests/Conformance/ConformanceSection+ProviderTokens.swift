import PushpitCrypto
import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  static let providerTokens = ConformanceSection(
    title: "Provider token",
    rules: [
      ConformanceRule(
        "no authorization", .missingProviderToken, .providerTokenPresence,
        evidence: .observed("2026, unauthenticated POST")
      ) { $0.set("authorization", nil) },
      ConformanceRule(
        "authorization of another scheme", .missingProviderToken, .providerTokenPresence,
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
        "a token of one part", .invalidProviderToken, .providerTokenValidity,
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
      ConformanceRule(
        "a key of the other environment", .badEnvironmentKeyInToken, .providerTokenEnvironment,
        evidence: .observed("October 2025, APNSwift pull request 229"),
        .scene { _ in
          let gateway = try Gateway(environments: [.production])
          return gateway.send(gateway.validPush)
        }),
      ConformanceRule(
        "a fresh token after ExpiredProviderToken on the connection", .expiredProviderToken, .wedge,
        evidence: .observed("2020, Pushy pull request 783"),
        .scene { gateway in
          _ = gateway.send { $0.receivedAt = Gateway.now + .seconds(3601) }
          return gateway.send(gateway.jwt())
        }),
      ConformanceRule(
        "the same with the setting wedge internal-error", .internalServerError, .wedge,
        evidence: .observed("2016 and 2017, Pushy issues 408 and 529"),
        .scene { gateway in
          gateway.workspaces.default.apns.wedge = .internalError
          _ = gateway.send { $0.receivedAt = Gateway.now + .seconds(3601) }
          return gateway.send(gateway.jwt())
        }),
      ConformanceRule(
        "a token of another team on the connection", .invalidProviderToken, .connectionKey,
        evidence: .library("Pushy's mock server: one team per connection"),
        .scene { gateway in
          _ = gateway.send(gateway.validPush)
          return gateway.send(try gateway.jwt(keyID: "OTHERKEY12", teamID: "OTHERTEAM1"))
        }),
      ConformanceRule(
        "a token of an unrelated key on the connection", .unrelatedKeyIDInToken, .connectionKey,
        evidence: .documented("Handling notification responses from APNs"),
        .scene { gateway in
          _ = gateway.send(gateway.validPush)
          return gateway.send(try gateway.otherKey)
        }),
      ConformanceRule(
        "a second token on the connection within 20 minutes", .tooManyProviderTokenUpdates,
        .providerTokenUpdates,
        evidence: .documented("Establishing a token-based connection to APNs"),
        .scene { gateway in
          _ = gateway.send(gateway.validPush)
          return gateway.send(gateway.jwt())
        }),
      ConformanceRule(
        "more pushes to a token in a second than the workspace allows", .tooManyRequests,
        .requestRate, evidence: .assumed("Apple names the reason and publishes no number"),
        .scene { gateway in
          gateway.workspaces.default.apns.requestsPerSecond = 1
          _ = gateway.send(gateway.validPush)
          return gateway.send(gateway.validPush)
        }),
    ])

  /// The check that finds a token itself at fault.
  private static func check(of reason: APNsReason?) -> APNsCheck? {
    switch reason {
    case .invalidProviderToken?: .providerTokenValidity
    case .expiredProviderToken?: .providerTokenAge
    default: nil
    }
  }

  /// A rule that a changed provider token shows.
  private static func rule(
    _ title: String, _ reason: APNsReason?, _ evidence: ConformanceEvidence,
    _ change: @escaping @Sendable (inout TestJWT) throws -> Void
  ) -> ConformanceRule {
    ConformanceRule(
      title, reason, check(of: reason), evidence: evidence,
      .scene { gateway in
        var jwt = gateway.jwt()
        try change(&jwt)
        return gateway.send { $0.set("authorization", "bearer " + jwt.text) }
      })
  }
}
