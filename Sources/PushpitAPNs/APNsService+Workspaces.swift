package import PushpitModel

extension APNsService {
  /// Forgets what it keeps of a workspace, which is reset or gone: verified provider tokens, what keys
  /// signed, and counts.
  package func forget(_ workspace: WorkspaceID) {
    providerTokens.forget(workspace)
    mints.forget(workspace)
    requestRates.forget(workspace)
  }
}
