/// What an app's SDK has read in a push that it was handed.
///
/// An object, because most pushes have none.
package final class SDKReading {
  /// The name of the contract that it follows.
  package let contract: String
  package let content: ContractReading

  init(contract: String, content: ContractReading) {
    self.contract = contract
    self.content = content
  }
}
