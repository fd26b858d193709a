import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// Requests about topics and device groups.
extension ServiceFixture {
  /// The n-th of tokens that nobody registered.
  static func token(_ number: Int) -> String {
    let name = String(number)
    return String(repeating: "t", count: 11 - name.count) + name + ":APA91b"
      + String(repeating: "y", count: 134)
  }

  /// Calls a method of topic subscriptions; `rest` is what follows the collection.
  @discardableResult
  func subscriptions(
    _ method: String, _ rest: String = "", of token: String = androidToken,
    project: String = "demo", body: String = "", bearer: String? = nil
  ) throws -> PushOutcome {
    let bearer = try bearer ?? accessToken()
    return request(
      method,
      "/v1/projects/\(project)/registrations/\(PercentCoding.encode(token))/topicSubscriptions\(rest)",
      fields: ["authorization": "Bearer \(bearer)", "content-type": "application/json"],
      body: body)
  }

  /// Calls the Instance ID API, or manages device groups.
  @discardableResult
  func instanceID(
    _ method: String, _ target: String, body: String = "", projectID: String? = nil,
    bearer: String? = nil
  ) throws -> PushOutcome {
    let bearer = try bearer ?? accessToken()
    var head = RequestHead(
      method: method, target: target, authority: "localhost:2197",
      fields: ["authorization": "Bearer \(bearer)", "access_token_auth": "true"])
    if let projectID { head.fields.append("project_id", projectID) }
    let request = PushRequest(head: head, body: Array(body.utf8), receivedAt: time.now)
    return service.respond(to: request, response: &self.head, body: &self.body)
  }

  /// Calls the Instance ID API with tokens in a batch.
  @discardableResult
  func batch(_ verb: String, _ tokens: [String], to topic: String = "/topics/news") throws
    -> PushOutcome
  {
    let list = JSONValue.array(tokens.map { .string($0) }).serialized()
    return try instanceID(
      "POST", "/iid/v1:\(verb)",
      body: #"{"to":"\#(topic)","registration_tokens":\#(String(decoding: list, as: UTF8.self))}"#)
  }

  /// Manages a device group.
  @discardableResult
  func group(_ body: JSONValue, projectID: String? = "123456789012") throws -> PushOutcome {
    try instanceID(
      "POST", "/fcm/notification", body: String(decoding: body.serialized(), as: UTF8.self),
      projectID: projectID)
  }

  /// Sets what a workspace may set.
  func set(_ change: (inout FCMSettings) -> Void) {
    change(&workspaces.default.fcm)
  }
}
