internal import PushpitHTTPTypes
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /envelopes/{id}/as/{form}`.
  func exportEnvelope(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    let envelope = try envelope(of: call)
    let name = call.parameters[1]
    guard let form = ExportForm(rawValue: name) else {
      let known = ExportForm.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConsoleProblem(404, .notFound, "There is no form \"\(name)\"; known: \(known).")
    }
    guard let gateway = address(of: envelope.workspace) else {
      throw ConsoleProblem(503, .notReady, "Not every listener accepts yet.")
    }
    do throws(ExportRefusal) {
      let export = try form.export(envelope, at: gateway)
      var fields = FieldList(["content-type": export.contentType])
      if let name = export.fileName {
        fields.append("content-disposition", "attachment; filename=\"\(name)\"")
      }
      return .response(Response(status: 200, fields: fields, body: export.bytes))
    } catch {
      throw ConsoleProblem(409, .conflict, error.text)
    }
  }

  /// Where a workspace's requests go, so that the one that is sent again is not another's.
  private func address(of workspace: WorkspaceID) -> GatewayAddress? {
    guard let status else { return nil }
    let own = status.workspaceKeeper?.gateway(of: workspace)
    return GatewayAddress(
      status.gateway, own: own.flatMap { own in own.port.map { (own.url, $0) } })
  }
}
