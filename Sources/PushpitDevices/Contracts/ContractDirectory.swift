internal import PushpitHTTPTypes
package import PushpitJSON
package import PushpitModel

/// The contracts that devices may follow: the built-in ones and those of the configuration.
package struct ContractDirectory: Sendable {
  /// At most this many are configured.
  package static let limit = 100

  /// In the order in which their keys are looked for.
  package let all: [any PayloadContract]
  /// The root keys in quotes, as they stand in payloads.
  private let quotedKeys: [[UInt8]]

  /// Adds configured contracts to the built-in ones, in the place of one of the same name.
  package init(configured: [ConfiguredContract] = []) {
    let names = Set(configured.map(\.name))
    let builtIn = [ConfiguredContract.respondo].filter { !names.contains($0.name) }
    all = configured.prefix(Self.limit) + builtIn
    quotedKeys = all.map { Array("\"\($0.rootKey)\"".utf8) }
  }

  /// Reads the contracts of a configuration.
  /// - Throws: `DeviceError.invalid` with everything that is wrong with them, below `/contracts`.
  package init(configured values: [JSONValue]) throws(DeviceError) {
    var problems: [InputProblem] = []
    var contracts: [ConfiguredContract] = []
    if values.count > Self.limit {
      problems.append(InputProblem("/contracts", "expected at most \(Self.limit) contracts"))
    }
    for (index, value) in values.prefix(Self.limit).enumerated() {
      do {
        let contract = try ConfiguredContract(json: value, at: "/contracts/\(index)")
        if contracts.contains(where: { $0.name == contract.name }) {
          problems.append(
            InputProblem(
              "/contracts/\(index)/name", "there is a contract \(contract.name) already"))
        }
        contracts.append(contract)
      } catch {
        guard case .invalid(let more) = error else { throw error }
        problems += more
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    self.init(configured: contracts)
  }

  /// What is wrong with the name of a device's contract; nil when there is such a contract.
  func problem(of name: String) -> InputProblem? {
    guard contract(named: name) == nil else { return nil }
    let names = all.map(\.name).joined(separator: ", ")
    return InputProblem("/contract", "there is no such contract; known are \(names)")
  }

  /// The contract of a name.
  package func contract(named name: String) -> (any PayloadContract)? {
    all.first { $0.name == name }
  }

  /// What the SDK of a device finds in a payload: that of its own contract, or, since a device may follow
  /// none that it was told of, of any whose key is there; nil when the payload is no SDK's.
  package func reading(
    of payload: ClientPayload, preferring name: String?, _ settings: ContractSettings
  ) -> (contract: any PayloadContract, reading: ContractReading)? {
    let preferred = name.flatMap(contract(named:))
    for contract in [preferred].compactMap(\.self) + all {
      if let reading = contract.read(payload, settings) { return (contract, reading) }
    }
    return nil
  }

  /// Whether a payload may have a contract's key: it is there in quotes, or an escape could hide it.
  ///
  /// It is asked of every push that arrives, so nothing is read: a key is looked for where its first byte
  /// after a quote is.
  package func isMentioned(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while let mark = rest.firstIndex(of: UInt8(ascii: "\""), or: UInt8(ascii: "\\")) {
        rest = UnsafeBufferPointer(rebasing: rest[mark...])
        if rest[0] == UInt8(ascii: "\\") {
          guard rest.count > 1, rest[1] != UInt8(ascii: "u") else { return true }
          rest = UnsafeBufferPointer(rebasing: rest[2...])
        } else {
          for key in quotedKeys where rest.begins(with: key) { return true }
          rest = UnsafeBufferPointer(rebasing: rest[1...])
        }
      }
      return false
    }
  }
}
