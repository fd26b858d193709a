import PushpitJSON
import PushpitModel

/// `/iid/v1:batchImport`: registration tokens for apps that have APNs tokens.
extension InstanceIDService {
  /// Gives APNs tokens registration tokens; FCM does not ask APNs, so any token of the right form gets
  /// one, unless it is of another app or environment than the request says.
  func importBatch(
    _ request: PushRequest, _ account: ServiceAccount, outcome: inout PushOutcome
  ) throws(InstanceIDRefusal) -> FCMAnswer {
    let body = try Self.object(request.body)
    let fix = #"send {"application":"<bundle ID>","sandbox":false,"apns_tokens":[...]}"#
    guard let app = body["application"]?.stringValue, !app.isEmpty else {
      throw .badRequest("the body names no application", fix: fix)
    }
    outcome.app = app
    let environment: APNsEnvironment =
      body["sandbox"]?.boolValue == true ? .sandbox : .production
    let batch = try Self.strings(
      body["apns_tokens"], named: "apns_tokens", limit: Self.importLimit, fix: fix)
    var results: [JSONValue] = []
    for (index, text) in batch.enumerated() {
      let token = registrationToken(
        for: text, app: app, environment, account, index, outcome: &outcome)
      let result: JSONValue
      if let token {
        result = [
          "apns_token": .string(text), "status": "OK",
          "registration_token": .string(String(decoding: token, as: UTF8.self)),
        ]
      } else {
        result = ["apns_token": .string(text), "status": "Internal Server Error"]
      }
      results.append(result)
    }
    return .instanceID(200, JSONObject(["results": .array(results)]))
  }

  private func registrationToken(
    for text: String, app: String, _ environment: APNsEnvironment, _ account: ServiceAccount,
    _ index: Int, outcome: inout PushOutcome
  ) -> [UInt8]? {
    let token = Array(text.lowercased().utf8)
    let short = FCMDiagnoses.short(token)
    guard TokenShape.isAPNs(token) else {
      outcome.warnings.append(
        FCMDiagnoses.apnsTokenNotImported(index, "the text \(short) is no APNs device token"))
      return nil
    }
    guard let record = tokens.record(of: token), record.isDeclared else {
      guard workspaces[account.workspace].policies.tokens == .open else {
        outcome.warnings.append(
          FCMDiagnoses.apnsTokenNotImported(index, "nobody registered the token \(short)"))
        return nil
      }
      let key = ByteKey(Array(account.projectID.utf8) + [0] + token)
      if let known = strangers[key] { return known }
      let made = importToken?(nil, account.projectID)
      if let made { strangers.insert(made, for: key) }
      return made
    }
    guard record.purpose == .app, record.app == app, record.environment == environment,
      record.workspace == account.workspace, record.state == .active
    else {
      let environment = record.environment?.rawValue ?? ""
      outcome.warnings.append(
        FCMDiagnoses.apnsTokenNotImported(
          index,
          "the token \(short) is of \(record.app ?? "") in \(environment), or it is dead"))
      return nil
    }
    guard let registrationToken = importToken?(record, account.projectID) else {
      outcome.warnings.append(
        FCMDiagnoses.apnsTokenNotImported(
          index,
          "the device of the token \(short) has a registration token that is dead or of another project"
        ))
      return nil
    }
    return registrationToken
  }
}
