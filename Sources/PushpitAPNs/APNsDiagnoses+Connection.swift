package import PushpitModel

extension DiagnosisCode {
  package static let connectionWedged = DiagnosisCode("connection-wedged")
  package static let otherTeamOnConnection = DiagnosisCode("other-team-on-connection")
  package static let unrelatedKeyOnConnection = DiagnosisCode("unrelated-key-on-connection")
  package static let providerTokenUpdatedTooOften =
    DiagnosisCode("provider-token-updated-too-often")
  package static let providerTokensMintedTooOften =
    DiagnosisCode("provider-tokens-minted-too-often")
  package static let deviceTokenRateExceeded = DiagnosisCode("device-token-rate-exceeded")
  package static let backgroundPriority = DiagnosisCode("background-priority")
}

// MARK: - What a connection, or many of them, did wrong

extension APNsDiagnoses {
  static func connectionWedged() -> Diagnosis {
    Diagnosis(
      .connectionWedged,
      what: "this connection was answered ExpiredProviderToken before, and APNs takes no token on "
        + "such a connection any more",
      fix: "after ExpiredProviderToken close the connection, and open another with a new token")
  }

  static func otherTeamOnConnection(_ claims: ProviderClaims, bound: ProviderClaims) -> Diagnosis {
    Diagnosis(
      .otherTeamOnConnection,
      what: "the provider token is of team \(cut(claims.teamID)), the connection began with one of "
        + "team \(cut(bound.teamID))",
      fix: "keep connections of their own for each team")
  }

  static func unrelatedKey(_ claims: ProviderClaims, bound: ProviderClaims) -> Diagnosis {
    Diagnosis(
      .unrelatedKeyOnConnection,
      what:
        "the provider token is of the key \(cut(claims.keyID)), the connection began with one of "
        + "the key \(cut(bound.keyID)), and neither is the other's related key",
      fix:
        "open another connection for another key; of two keys that Apple relates one is imported "
        + "with --related and the other's ID")
  }

  static func tooManyProviderTokenUpdates(
    _ claims: ProviderClaims?, since: Duration, allowance: Int
  ) -> Diagnosis {
    let allowed = allowance == 0 ? "none" : "\(allowance)"
    return Diagnosis(
      .providerTokenUpdatedTooOften,
      what: "the connection brought a new provider token of the key \(cut(claims?.keyID ?? "")) "
        + "\(seconds(since)) after another; within 20 minutes \(allowed) may follow the first",
      fix: "sign once, send the same token with every push, and renew it every 20 to 60 minutes")
  }

  static func mintedTooOften(_ mint: ProviderTokenMint) -> Diagnosis {
    let count = mint.recentConnectionCount
    return Diagnosis(
      .providerTokensMintedTooOften,
      what: "\(mint.recentCount) tokens minted in \(seconds(mint.recentSpan)) on \(count) "
        + (count == 1 ? "connection" : "connections") + " by the key \(cut(mint.keyID))",
      fix:
        "sign once, share the token among all connections and processes, and renew it every 20 to "
        + "60 minutes")
  }

  static func tooManyRequests(_ token: ArraySlice<UInt8>, perSecond: Int) -> Diagnosis {
    Diagnosis(
      .deviceTokenRateExceeded,
      what: "the token \(shortened(token)) got more than \(perSecond) pushes within a second, the "
        + "workspace's limit",
      fix: "send less often to one device, or collect what there is to say into one push")
  }

  static func backgroundPriority() -> Diagnosis {
    Diagnosis(
      .backgroundPriority, what: "a background push has the priority 10",
      fix: "send apns-priority 5 with apns-push-type background")
  }

  /// A span of time for people, `4 s`.
  private static func seconds(_ duration: Duration) -> String {
    "\(duration.milliseconds / 1000) s"
  }
}
