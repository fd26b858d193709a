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
  /// It is asked of every push that arrives, so nothing is read: all bytes are compared with a quote and the
  /// first letter of a key, and with a backslash and `u`, and few payloads have either.
  package func isMentioned(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      let letter = firstLetters[0]
      var index = 0
      // Without an early end between, so that four words are looked at at once.
      while index + 33 <= bytes.count {
        var candidates: UInt64 = 0
        for offset in 0..<4 {
          let word = raw.loadUnaligned(fromByteOffset: index + 8 * offset, as: UInt64.self)
          let next = raw.loadUnaligned(fromByteOffset: index + 8 * offset + 1, as: UInt64.self)
          candidates |=
            word.hits(of: UInt8(ascii: "\"")) & next.hits(of: letter)
            | word.hits(of: UInt8(ascii: "\\")) & next.hits(of: UInt8(ascii: "u"))
        }
        if candidates != 0 || firstLetters.count > 1,
          hasKeyOrEscape(in: bytes, at: index..<index + 32)
        {
          return true
        }
        index += 32
      }
      return hasKeyOrEscape(in: bytes, at: index..<bytes.count)
    }
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
