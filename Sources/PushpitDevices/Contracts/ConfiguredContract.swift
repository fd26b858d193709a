internal import PushpitJSON
package import PushpitModel

/// A contract as the configuration describes one: flat strings under a root key.
package struct ConfiguredContract: PayloadContract, Equatable {
  /// How the content stands under the root key.
  package enum Form: String, Sendable, CaseIterable {
    case object
    /// JSON as a string, since FCM's data values are strings.
    case string
  }

  /// One kind of payload: a message, a campaign.
  package struct Kind: Sendable, Equatable {
    package var name: String
    /// The key that only this kind has; nil for the kind of all others.
    package var markedBy: String?
    /// What `type` must be; nil for any.
    package var type: String?
    /// The keys that must be there, with text.
    package var required: [String]
    /// Keys that may be there.
    package var optional: [String]
    /// Whether there may be any other key.
    package var allowsOthers: Bool
    /// Whether a link that is there must have the contract's form.
    package var checksLink: Bool
  }

  package var name: String
  package var rootKey: String
  package var forms: [Platform: Form]
  /// In the order in which they are tried; the last is for all others.
  package var kinds: [Kind]
  /// The key of the id by which duplicates are known.
  package var messageIDKey: String?
  package var conversationKey: String?
  package var linkKey: String?
  /// Campaigns: the key of what the opening is reported with.
  package var beaconKey: String?
  var link: LinkPattern?

  /// Whether a kind is that of campaigns, which reports its opening.
  func isCampaign(_ kind: Kind) -> Bool { kind.markedBy != nil && kind.markedBy == beaconKey }

  package func read(
    _ payload: ClientPayload, _ settings: ContractSettings
  ) -> ContractReading? {
    guard let root = payload.map[rootKey] else { return nil }
    var reader = ContractReader(
      contract: self, settings: settings,
      pointer: JSONValue.pointer(payload.pointer, to: rootKey))
    return reader.read(root, payload)
  }
}
