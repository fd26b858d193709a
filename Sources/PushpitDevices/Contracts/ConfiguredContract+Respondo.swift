internal import PushpitModel

extension ConfiguredContract {
  /// The contract of the Respondo SDK, after its documentation of pushes.
  ///
  /// Everything lies under `respondo`: on iOS an object beside `aps`, on Android a JSON string in the data
  /// map. A message has the conversation that it belongs to; what has a `delivery_id` is a campaign.
  package static let respondo = ConfiguredContract(
    name: "respondo", rootKey: "respondo",
    forms: [.ios: .object, .android: .string, .web: .string],
    kinds: [
      Kind(
        name: "campaign", markedBy: "delivery_id", type: nil, required: ["delivery_id"],
        optional: [], allowsOthers: true, checksLink: false),
      Kind(
        name: "message", markedBy: nil, type: "message",
        required: ["conversation_id", "message_id", "deep_link"], optional: [],
        allowsOthers: false, checksLink: true),
    ],
    messageIDKey: "message_id", conversationKey: "conversation_id", linkKey: "deep_link",
    beaconKey: "delivery_id", link: LinkPattern("respondo://conversation/{conversation_id}"))
}
