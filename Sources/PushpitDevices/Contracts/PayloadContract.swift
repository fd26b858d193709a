package import PushpitJSON
package import PushpitModel

/// What an app's SDK expects in a payload, and what it does with one: one file for each SDK.
///
/// A contract never changes an answer to a sender. Its breaches are warnings of the envelope, and its
/// readings tell a device what the SDK on it does.
package protocol PayloadContract: Sendable {
  /// How devices and warnings call it.
  var name: String { get }
  /// The key under which everything of the SDK lies; a payload without it is not the SDK's.
  var rootKey: String { get }

  /// Its form as JSON, for people.
  var json: JSONValue { get }

  /// Reads a payload as the SDK does; nil when it is not the SDK's (its `handlePush` answers false).
  func read(_ payload: ClientPayload, _ settings: ContractSettings) -> ContractReading?
}

/// What an SDK finds in a payload.
package struct ContractReading: Sendable, Equatable {
  /// What breaks the contract, with pointers into the recorded payload.
  package var breaches: [PayloadWarning] = []
  /// By which a message that comes twice is known; nil when it has none.
  package var messageID: String?
  /// The conversation that it belongs to.
  package var conversation: String?
  /// What a tap opens; nil for nothing but the app.
  package var deepLink: String?
  /// The conversation that the link opens; nil when it opens something else.
  package var opensConversation: String?
  /// What the opening of a campaign is reported with.
  package var deliveryID: String?

  package init() {}
}
