import PushpitModel

/// What becomes of a well-formed token: whose it is, whether it lives, and whether it may be used.
struct TokenLookup {
  let tokens: TokenRegistry
  let workspaces: WorkspaceDirectory

  /// A token that may be sent to, and what people should know of it.
  struct Found {
    /// Nil when the push reaches nobody in the sender's workspace.
    var record: TokenRecord?
    var warnings: [PayloadWarning] = []
  }

  /// Finds a token for an account at a moment of real time; with `isValidationOnly` nothing new is remembered.
  func find(
    _ token: [UInt8], for account: ServiceAccount, isValidationOnly: Bool, at receivedAt: Timestamp
  ) throws(FCMRefusal) -> Found {
    guard let record = tokens.record(of: token) else {
      guard workspaces[account.workspace].policies.tokens == .open else {
        throw FCMRefusal(.unregistered, FCMDiagnoses.tokenUnknown(token))
      }
      guard !isValidationOnly else { return Found() }
      let kind = TokenShape.kind(of: token)
      let record = tokens.adopt(token, kind: kind, workspace: account.workspace)
      record.firstUse = Array(account.projectID.utf8)
      return Found(record: record)
    }
    guard record.device != nil else {
      return try undeclared(record, for: account)
    }
    let warnings = try check(
      record, for: account, isValidationOnly: isValidationOnly, at: receivedAt)
    return Found(record: record, warnings: warnings)
  }

  /// Checks that an account may send to a token of a device; what people should know of that.
  func check(
    _ record: TokenRecord, for account: ServiceAccount, isValidationOnly: Bool,
    at receivedAt: Timestamp
  ) throws(FCMRefusal) -> [PayloadWarning] {
    try checkOwner(record, account)
    let workspace = workspaces[account.workspace]
    let now = workspace.time(at: receivedAt)
    if record.expireIfInactive(at: now) { workspace.leaveTopicsAndGroups(record) }
    try checkLife(
      record, now: now, delay: workspace.apns.uninstallDelay, isValidationOnly: isValidationOnly)
    return record.isCleared ? [FCMDiagnoses.sentAfterClear(record.token)] : []
  }

  /// A token that nobody registered binds to nothing: a second project is a warning.
  private func undeclared(
    _ record: TokenRecord, for account: ServiceAccount
  ) throws(FCMRefusal) -> Found {
    guard workspaces[account.workspace].policies.tokens == .open else {
      throw FCMRefusal(.unregistered, FCMDiagnoses.tokenUnknown(record.token))
    }
    tokens.touch(record)
    var found = Found(record: record.workspace == account.workspace ? record : nil)
    if !record.firstUse.isEmpty, !record.firstUse.elementsEqual(account.projectID.utf8) {
      found.warnings.append(FCMDiagnoses.tokenUsedForTwoProjects(record, account))
    }
    return found
  }

  private func checkOwner(
    _ record: TokenRecord, _ account: ServiceAccount
  ) throws(FCMRefusal) {
    let isOfProject =
      if let project = record.project { account.owns(project: project) } else { true }
    guard record.workspace == account.workspace else {
      throw FCMRefusal(
        isOfProject ? .unregistered : .senderIDMismatch,
        FCMDiagnoses.tokenOfOtherWorkspace(record, account))
    }
    guard isOfProject else {
      throw FCMRefusal(.senderIDMismatch, FCMDiagnoses.tokenOfOtherProject(record, account))
    }
  }

  private func checkLife(
    _ record: TokenRecord, now: Timestamp, delay: Duration, isValidationOnly: Bool
  ) throws(FCMRefusal) {
    switch record.state {
    case .active: return
    case .unregistered(let since):
      // "The FIRST send after deleteToken returned 200 on one run and 404 on another" (captured 2026).
      guard now >= since + delay else { return }
      // Validation does not ask APNs, so it cannot tell APNs' answer.
      let isAtAPNs = record.platform == .ios && !isValidationOnly
      throw FCMRefusal(
        isAtAPNs ? .unregisteredAtAPNs : .unregistered,
        FCMDiagnoses.tokenUnregistered(record.token, since: since))
    case .rotated(let moment):
      throw FCMRefusal(.unregistered, FCMDiagnoses.tokenRotated(record.token, at: moment))
    case .expired(let since):
      throw FCMRefusal(.unregistered, FCMDiagnoses.tokenExpired(record.token, since: since))
    }
  }
}
