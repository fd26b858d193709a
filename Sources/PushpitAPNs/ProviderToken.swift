internal import PushpitCrypto
internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel

/// What a provider token claims, once it could be read.
struct ProviderClaims: Equatable {
  /// `kid` of the header.
  let keyID: String
  /// `iss`.
  let teamID: String
  /// `iat`, as the sender's clock says it.
  let issuedAt: Timestamp
}

/// Why a provider token cannot be read; all of them are InvalidProviderToken on the wire.
enum ProviderTokenFault: Error, Equatable {
  /// Not three parts in base64 or base64url.
  case notCompact
  case headerNotJSON
  /// `alg` is not ES256, the only one (Apple: Establishing a token-based connection to APNs).
  case algorithm(String)
  case keyIDMissing
  case claimsNotJSON
  case teamMissing
  case issuedAtUnreadable
}

/// One provider token, decoded once and kept with what was found out about it.
///
/// Connections and the cache share it, so it is a class; what changes are results, not the token.
///
/// No run-time exclusivity checks on the hot path's properties: all accesses happen on the loop's
/// thread, and a change of one calls nothing but its own methods.
final class ProviderToken {
  /// The token as sent, without the scheme.
  let bytes: [UInt8]
  /// What records keep of it; built once.
  let facts: CredentialFacts
  let content: Result<ProviderClaims, ProviderTokenFault>
  /// It is counted among the tokens of its key.
  var isCounted = false
  /// The key it names, once a workspace has it.
  @exclusivity(unchecked) private(set) var key: APNsKey?
  /// The workspace of its key, kept beside the key because a copy of that costs six references.
  @exclusivity(unchecked) private(set) var workspace: WorkspaceID?
  /// The key is for certain topics only.
  @exclusivity(unchecked) private(set) var isTopicSpecific = false
  /// For which environments its key is good.
  @exclusivity(unchecked) private var isFit = (sandbox: true, production: true)
  /// Whether the key made its signature; nil before that was asked.
  @exclusivity(unchecked) var isSignatureValid: Bool?
  /// The generation of the credentials that its key was looked for in.
  @exclusivity(unchecked) var generation: UInt64 = 0
  /// When it was issued by the clock of each workspace that saw it.
  @exclusivity(unchecked) private var issuedAt: [(workspace: Workspace, time: Timestamp)] = []

  init(bytes: [UInt8]) {
    self.bytes = bytes
    let parts = JWSParts(compact: bytes)
    let header = parts.flatMap { Self.object($0.header) }
    let claims = parts.flatMap { Self.object($0.claims) }
    content = Result { () throws(ProviderTokenFault) in
      try Self.read(isCompact: parts != nil, header: header, claims: claims)
    }
    facts = Self.facts(of: bytes, isCompact: parts != nil, header: header, claims: claims)
  }

  /// What it claims; nil when it cannot be read.
  var claims: ProviderClaims? {
    if case .success(let claims) = content { claims } else { nil }
  }

  /// Whether it has these bytes.
  func has(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    self.bytes.withUnsafeBufferPointer { $0.hasBytes(of: bytes) }
  }

  /// Whether its key is for an environment; so is one that is not known.
  func isFit(for environment: APNsEnvironment) -> Bool {
    switch environment {
    case .sandbox: isFit.sandbox
    case .production: isFit.production
    }
  }

  /// Takes the key that it names.
  func use(_ key: APNsKey) {
    self.key = key
    workspace = key.workspace
    isTopicSpecific = key.topics != nil
    isFit = (key.environments.contains(.sandbox), key.environments.contains(.production))
  }

  /// Lets go of its key, which nobody has any more.
  func dropKey() {
    key = nil
    workspace = nil
    isTopicSpecific = false
    isFit = (true, true)
    isSignatureValid = nil
  }

  /// When it was issued by a workspace's clock; nil when it cannot be read.
  ///
  /// `iat`, moved by the offset that the clock had when the workspace first saw the token: so it
  /// ages when the clock is advanced afterwards.
  ///
  /// Never inlined, because an inlined optional is copied by its metadata, in 180 instructions.
  @inline(never)
  func issuedAt(in workspace: Workspace, seenAt real: Timestamp) -> Timestamp? {
    for known in issuedAt where known.workspace === workspace { return known.time }
    guard case .success(let claims) = content else { return nil }
    let time = claims.issuedAt + (workspace.time(at: real) - real)
    issuedAt.append((workspace, time))
    return time
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    (try? JSONReader.parse(bytes))?.objectValue
  }

  private static func read(isCompact: Bool, header: JSONObject?, claims: JSONObject?)
    throws(ProviderTokenFault) -> ProviderClaims
  {
    guard isCompact else { throw .notCompact }
    guard let header else { throw .headerNotJSON }
    let algorithm = header["alg"]?.stringValue
    guard algorithm == "ES256" else { throw .algorithm(algorithm ?? "") }
    guard let keyID = header["kid"]?.stringValue, !keyID.isEmpty else { throw .keyIDMissing }
    guard let claims else { throw .claimsNotJSON }
    guard let teamID = claims["iss"]?.stringValue, !teamID.isEmpty else { throw .teamMissing }
    guard let issuedAt = claims["iat"].flatMap(seconds) else { throw .issuedAtUnreadable }
    return ProviderClaims(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
  }

  /// `iat` as libraries write it: an integer (most), a float (PyAPNs2: `time.time()`), or a string
  /// (APNSwift until January 2026).
  private static func seconds(_ value: JSONValue) -> Timestamp? {
    guard let seconds = value.doubleValue ?? value.stringValue.flatMap(Double.init),
      seconds.isFinite
    else { return nil }
    // Clamped to 31 million years, so that no peer can make the arithmetic overflow.
    return Timestamp(milliseconds: Int64(min(max(seconds, -1e15), 1e15) * 1000))
  }

  private static func facts(
    of bytes: [UInt8], isCompact: Bool, header: JSONObject?, claims: JSONObject?
  ) -> CredentialFacts {
    let fingerprint = SHA256.hex(bytes)
    guard isCompact else {
      return CredentialFacts(kind: .unreadable, fingerprint: fingerprint)
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("header", header.map(JSONValue.object) ?? .null)
    writer.member("claims", claims.map(JSONValue.object) ?? .null)
    writer.endObject()
    return CredentialFacts(
      kind: .providerToken, keyID: header?["kid"]?.stringValue,
      teamID: claims?["iss"]?.stringValue,
      decoded: String(decoding: writer.bytes, as: UTF8.self), fingerprint: fingerprint)
  }
}
