/// A JSON web signature in its compact form, taken apart but not judged (RFC 7515 section 7.1).
///
/// Lenient as APNs is: each part may be in base64url or in standard padded base64.
package struct JWSParts: Sendable, Equatable {
  /// Decoded bytes of the first part, which ought to be a JSON object.
  package let header: [UInt8]
  /// Decoded bytes of the second part, which ought to be a JSON object.
  package let claims: [UInt8]
  /// Decoded bytes of the third part.
  package let signature: [UInt8]
  /// How many bytes of the compact form are signed: both first parts and the dot between them.
  package let signingInputCount: Int

  /// Takes apart the compact form: exactly three parts, each good base64.
  package init?(compact bytes: some Collection<UInt8>) {
    let parts = bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decode(parts[0]),
      let claims = Base64.decode(parts[1]), let signature = Base64.decode(parts[2])
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signingInputCount = parts[0].count + 1 + parts[1].count
  }
}
