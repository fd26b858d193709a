import PushpitJSON
import PushpitModel

package struct ContractReading {
  package var messageID: String?
  package var conversation: String?
  package var deepLink: String?
  package var deliveryID: String?
  package var opensConversation: String?
}
package protocol PayloadContract: Sendable { var name: String { get } }
package struct ClientPayload {
  init(apns: JSONValue) {}
  init(fcm: JSONValue, platform: Platform) {}
}
package final class ContractDirectory {
  package init() {}
  func isMentioned(in: [UInt8]) -> Bool { false }
  func reading(of: ClientPayload, preferring: String?) -> (
    contract: any PayloadContract, reading: ContractReading
  )? { nil }
}
