internal import PushpitHTTPTypes
package import PushpitJSON
package import PushpitModel

/// The contracts that devices may follow: the built-in ones and those of the configuration.
///
/// An object, because a struct of arrays counts each of them where it is asked.
package final class ContractDirectory: Sendable {
  /// At most this many are configured.
  package static let limit = 100

  /// In the order in which their keys are looked for.
  package let all: [any PayloadContract]
  /// The root keys in quotes, as they stand in payloads.
  private let quotedKeys: [[UInt8]]
  /// What these begin with after the quote, each once.
  private let firstLetters: [UInt8]
  /// Whether no key has a letter beyond ASCII.
  private let isASCII: Bool

  /// Adds configured contracts to the built-in ones, in the place of one of the same name.
  package init(configured: [ConfiguredContract] = []) {
    let names = Set(configured.map(\.name))
    let builtIn = [ConfiguredContract.respondo].filter { !names.contains($0.name) }
    all = configured.prefix(Self.limit) + builtIn
    quotedKeys = all.map { Array("\"\($0.rootKey)\"".utf8) }
    isASCII = quotedKeys.allSatisfy { $0.allSatisfy { $0 < 0x80 } }
    firstLetters = Array(Set(quotedKeys.map { $0[1] }))
  }

  /// Reads the contracts of a configuration.
  /// - Throws: `DeviceError.invalid` with everything that is wrong with them, below `/contracts`.
  package convenience init(configured values: [JSONValue]) throws(DeviceError) {
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
  /// It is asked of every push that arrives, so nothing is read: few payloads have a quote before the first
  /// letter of a key, or a backslash.
  package func isMentioned(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      firstLetters.contains { Self.hasMark(bytes, before: $0) }
        && hasKeyOrEscape(in: bytes, at: 0..<bytes.count)
    }
  }

  /// Whether a quote stands before this letter anywhere, or there is a backslash.
  ///
  /// Without an early end, so that it runs on vectors.
  private static func hasMark(_ bytes: UnsafeBufferPointer<UInt8>, before letter: UInt8) -> Bool {
    guard let start = bytes.baseAddress, bytes.count > 1 else { return false }
    var found: UInt8 = 0
    for index in 0..<bytes.count &- 1 {
      let byte = start[index]
      let isKey = (byte ^ UInt8(ascii: "\"")) | (start[index &+ 1] ^ letter) == 0
      let isEscape = byte == UInt8(ascii: "\\")
      found |= (isKey ? 1 : 0) | (isEscape ? 1 : 0)
    }
    return found != 0
  }

  private func hasKeyOrEscape(
    in bytes: UnsafeBufferPointer<UInt8>, at places: Range<Int>
  ) -> Bool {
    places.contains { place in
      guard bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "\\") else {
        return false
      }
      let rest = UnsafeBufferPointer(rebasing: bytes[place...])
      return quotedKeys.contains { rest.begins(with: $0) } || isEscape(rest)
    }
  }

  /// Whether a text begins with an escape that may stand for a letter of a key: those of ASCII begin so.
  private func isEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.begins(with: "\\u") else { return false }
    return !isASCII || text.begins(with: "\\u00") && text.count > 4 && text[4] &- 0x32 < 6
  }
}
