import PushpitCrypto
import PushpitJSON
import PushpitModel

/// ID tokens by their shape: the claims are Google's, the signature is 256 random bytes.
///
/// Nothing that sends pushes can use one, which is the point: Google answers so to an unknown scope.
struct IdentityTokens {
  let random: RandomSource

  /// Makes one for an audience.
  func make(
    for account: ServiceAccount, audience: String, now: Timestamp, lifetime: Duration
  ) -> String {
    let header: JSONValue = ["alg": "RS256", "kid": .string(random.hex(40)), "typ": "JWT"]
    let claims: JSONValue = [
      "aud": .string(audience),
      "azp": .string(account.clientEmail),
      "email": .string(account.clientEmail),
      "email_verified": true,
      "exp": .int((now + lifetime).seconds),
      "iat": .int(now.seconds),
      "iss": "https://accounts.google.com",
      "sub": .string(account.projectNumber),
    ]
    let signature = (0..<256).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return [header.serialized(), claims.serialized(), signature]
      .map { Base64.encode($0, url: true, padded: false) }.joined(separator: ".")
  }
}
