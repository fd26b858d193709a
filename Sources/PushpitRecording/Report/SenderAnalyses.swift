package import PushpitModel

/// The analyses of the workspaces that somebody has asked about.
package final class SenderAnalyses {
  private let store: EnvelopeStore
  private var analyses: [WorkspaceID: SenderAnalysis] = [:]

  package init(store: EnvelopeStore) {
    self.store = store
  }

  /// The analysis of a workspace, with everything that is recorded.
  package func upToDate(_ workspace: WorkspaceID) -> SenderAnalysis {
    let analysis = analyses[workspace] ?? SenderAnalysis(of: workspace)
    analyses[workspace] = analysis
    analysis.catchUp(store)
    return analysis
  }

  /// Forgets what was found out about a workspace, whose envelopes are gone.
  package func forget(_ workspace: WorkspaceID) {
    analyses[workspace] = nil
  }
}
