internal import PushpitCrypto
internal import PushpitModel

/// The provider tokens that were seen, so that each is decoded and verified once.
///
/// A verification costs 35 times a whole push; a token is good for an hour and is sent with every
/// push. Expired tokens stay until they are pushed out: their age must not start anew.
final class ProviderTokenCache {
  /// At most this many tokens are remembered; the one seen first is forgotten.
  static let limit = 1024

  /// How many signatures were verified.
  private(set) var verificationCount = 0
  private let credentials: CredentialDirectory
  private var tokens: [[UInt8]: ProviderToken] = [:]
  private var order: [[UInt8]] = []

  init(credentials: CredentialDirectory) {
    self.credentials = credentials
  }

  /// The token of these bytes, decoded now or earlier, with its key when a workspace has it.
  func token(_ bytes: ArraySlice<UInt8>) -> ProviderToken {
    let bytes = Array(bytes)
    let token: ProviderToken
    if let known = tokens[bytes] {
      token = known
    } else {
      token = ProviderToken(bytes: bytes)
      // What cannot be read has nothing to remember, and would push out what has.
      if token.claims != nil { remember(token) }
    }
    update(token)
    // Asked again each time: the key may have been imported since.
    if token.key == nil, let key = ownKey(of: token) { token.use(key) }
    return token
  }

  /// Takes a token's key from it when that was removed, or belongs to another workspace now.
  func update(_ token: ProviderToken) {
    guard token.generation != credentials.generation else { return }
    token.generation = credentials.generation
    let key = ownKey(of: token)
    guard key != token.key else { return }
    token.dropKey()
    if let key { token.use(key) }
  }

  /// The key that a token names, when it is of the team that the token names.
  private func ownKey(of token: ProviderToken) -> APNsKey? {
    guard let claims = token.claims, let key = key(of: claims), key.teamID == claims.teamID
    else { return nil }
    return key
  }

  /// Forgets all tokens of a workspace's keys.
  func forget(_ workspace: WorkspaceID) {
    order.removeAll { tokens[$0]?.workspace == workspace }
    tokens = tokens.filter { $0.value.workspace != workspace }
  }

  /// The key with the claimed key ID, of whatever team.
  func key(of claims: ProviderClaims) -> APNsKey? {
    credentials.apnsKeys[claims.keyID]
  }

  /// Whether the token's key made its signature; verified at the first call only.
  ///
  /// False when no workspace has its key.
  func isSignatureValid(_ token: ProviderToken) -> Bool {
    if let known = token.isSignatureValid { return known }
    guard let key = token.key else { return false }
    verificationCount += 1
    let isValid = verify(token, key: key)
    token.isSignatureValid = isValid
    return isValid
  }

  /// Raw and DER signatures are both good, in base64url and in padded base64: production libraries
  /// send all of them and APNs takes them (JWT of Apple's own recipe with DER got 200, 2022).
  private func verify(_ token: ProviderToken, key: APNsKey) -> Bool {
    guard let parts = JWSParts(compact: token.bytes),
      let publicKey = try? PublicKey(spki: key.publicKey)
    else { return false }
    return publicKey.isValidES256(
      message: token.bytes[..<parts.signingInputCount], signature: parts.signature)
  }

  private func remember(_ token: ProviderToken) {
    if order.count >= Self.limit { tokens[order.removeFirst()] = nil }
    tokens[token.bytes] = token
    order.append(token.bytes)
  }
}
