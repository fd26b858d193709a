/// What payload contracts leave open, and a workspace may set.
package struct ContractSettings: Sendable, Equatable {
  /// The `type` that campaigns must have; nil for any, since the SDK's documents name only that of messages.
  package var campaignType: String?

  package init(campaignType: String? = nil) {
    self.campaignType = campaignType
  }
}
