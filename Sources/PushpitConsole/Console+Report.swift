internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /report`: what a workspace's senders do that the vendors would punish.
  func showReport(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    var query = call.query
    let workspace = try workspace(&query, allowsAll: false) ?? .default
    try query.finish()
    let analysis = analyses.upToDate(workspace)
    return json { analysis.json(into: &$0) }
  }
}
