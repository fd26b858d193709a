import PushpitCrypto
import PushpitJSON
import PushpitModel

/// A JSON web token of a service account, taken apart but not judged: the assertion of a grant, or a
/// self-signed bearer.
struct Assertion {
  let header: JSONObject
  let claims: JSONObject
  let signature: [UInt8]
  /// The compact form, of which the beginning is signed.
  let compact: [UInt8]
  private let signingInputCount: Int

  /// Takes apart the compact form; nil unless it has three parts and header and claims are objects.
  init?(compact: [UInt8]) {
    guard let parts = JWSParts(compact: compact),
      case .object(let header)? = try? JSONReader.parse(parts.header),
      case .object(let claims)? = try? JSONReader.parse(parts.claims)
    else { return nil }
    self.header = header
    self.claims = claims
    self.compact = compact
    signature = parts.signature
    signingInputCount = parts.signingInputCount
  }

  var signingInput: ArraySlice<UInt8> { compact.prefix(signingInputCount) }
  var algorithm: String? { header["alg"]?.stringValue }
  var keyID: String? { header["kid"]?.stringValue }
  var issuer: String? { claims["iss"]?.stringValue }
  var subject: String? { claims["sub"]?.stringValue }
  var audience: String? { claims["aud"]?.stringValue }

  /// The requested scopes, in order.
  var scopes: [String] {
    (claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
  }

  /// `iat` in seconds since 1970.
  var issuedAt: Int64? { seconds("iat") }

  /// `exp` in seconds since 1970.
  var expiration: Int64? { seconds("exp") }

  /// What the record keeps of it: everything but the signature.
  func facts(_ kind: CredentialFacts.Kind) -> CredentialFacts {
    let decoded: JSONValue = ["header": .object(header), "claims": .object(claims)]
    return CredentialFacts(
      kind: kind, keyID: keyID, serviceAccount: issuer, subject: subject,
      decoded: String(decoding: decoded.serialized(), as: UTF8.self),
      fingerprint: SHA256.hex(compact))
  }

  /// A time claim, as a number or (measured at Google) as a string of digits.
  private func seconds(_ claim: String) -> Int64? {
    switch claims[claim] {
    case .number(let number): number.int64 ?? number.double?.truncated
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
