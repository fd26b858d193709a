internal import PushpitJSON
internal import PushpitModel

/// How a device gets a token.
package enum TokenWish: Sendable, Equatable {
  case minted
  case given(String)
}

extension DeviceSpecification {
  /// The members that `tokens` may have.
  static let tokenMembers = Set(DeviceTokenKind.allCases.map(\.rawValue)).union(["fcm"])

  /// The device tokens that are wanted, the app's first.
  var deviceTokens: [(kind: DeviceTokenKind, wish: TokenWish)] {
    DeviceTokenKind.allCases.compactMap { kind in
      guard kind != .app else { return (kind, apnsToken.map(TokenWish.given) ?? .minted) }
      return furtherTokens[kind].map { (kind, $0) }
    }
  }

  /// What is wrong with the device tokens, by themselves and with one another.
  var apnsTokenProblems: [InputProblem] {
    guard platform == .ios else {
      return DeviceTokenKind.allCases.compactMap { kind in
        let isWanted = kind == .app ? apnsToken != nil : furtherTokens[kind] != nil
        return isWanted ? kind.absentProblem(platform) : nil
      }
    }
    var kinds: [[UInt8]: DeviceTokenKind] = [:]
    return deviceTokens.compactMap { kind, wish in
      guard case .given(let token) = wish else { return nil }
      if let problem = Self.shapeProblem(token, kind.pointer) { return problem }
      if let other = kinds.updateValue(kind, forKey: TokenMint.canonicalAPNs(token)) {
        return InputProblem(
          kind.pointer, "is the token of \(other.rawValue) too; each kind has a token of its own")
      }
      return nil
    }
  }

  private static func shapeProblem(_ token: String, _ pointer: String) -> InputProblem? {
    switch TokenShape.kind(of: token.utf8) {
    case .apns: nil
    case .fcm:
      InputProblem(
        pointer,
        "this is an FCM registration token; register the APNs device token instead "
          + "(in Flutter getAPNSToken(), not getToken())",
        code: .androidTokenRegisteredAsIOS)
    case .fid, .malformed:
      InputProblem(pointer, "expected an even number of hexadecimal digits from 64 to 200")
    }
  }
}

extension DeviceTokenKind {
  /// Where it is in a specification.
  var pointer: String { "/tokens/" + rawValue }

  /// That only iOS has it.
  fileprivate func absentProblem(_ platform: Platform) -> InputProblem {
    let name = self == .app ? "APNs token" : title
    return InputProblem(pointer, "a device of platform \(platform) has no \(name)")
  }
}

extension InputReader {
  /// `tokens.apns`: the token given for the app, nil when it is to be minted.
  mutating func appToken(platform: Platform?) -> String? {
    let kind = DeviceTokenKind.app
    switch tokenWish(kind) {
    case .given(let token): return token
    case .minted:
      if let platform, platform != .ios { report([kind.absentProblem(platform)]) }
      return nil
    case nil: return nil
    }
  }

  /// The tokens of all other kinds.
  mutating func furtherTokens() -> [DeviceTokenKind: TokenWish] {
    var wishes: [DeviceTokenKind: TokenWish] = [:]
    for kind in DeviceTokenKind.allCases where kind != .app { wishes[kind] = tokenWish(kind) }
    return wishes
  }

  /// Hexadecimal digits, or true for a minted token; no token without the member.
  private mutating func tokenWish(_ kind: DeviceTokenKind) -> TokenWish? {
    guard let value = value(kind.rawValue) else { return nil }
    if let token = value.stringValue { return .given(token) }
    if value == true { return .minted }
    report(kind.rawValue, "expected a string of hexadecimal digits, or true for a minted token")
    return nil
  }
}
