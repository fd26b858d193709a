extension Envelope {
  /// The body with variables for the secrets that were cut from it; refused when nothing of it was kept.
  func exportedBody() throws(ExportRefusal) -> ExportText {
    if body.elementsEqual(CredentialCut.placeholder.utf8) {
      throw ExportRefusal(
        "The body of envelope \(id) names a secret and could not be read, so nothing of it was kept; "
          + "start pushpit with --record-credentials to keep such bodies.")
    }
    let isWhole = CredentialCut.isKeptWhole(body, service: service)
    return isWhole ? ExportText(body) : ExportText(body, cutFor: service)
  }
}
