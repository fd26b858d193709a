internal import PushpitJSON
internal import PushpitModel

extension WorkspaceSetting {
  /// The key that somebody else has: any that fits, none, or the one of a key ID.
  static func apnsKey(
    _ name: String, _ path: Path<FCMSettings.APNsKeyChoice>,
    _ reason: String
  ) -> WorkspaceSetting {
    required(
      name, path, form: "any, none, or a key ID of ten capital letters and digits", reason,
      write: { choice in
        switch choice {
        case .any: "any"
        case .none: "none"
        case .key(let id): .string(id)
        }
      },
      read: { value in
        switch value.stringValue {
        case "any"?: .any
        case "none"?: FCMSettings.APNsKeyChoice.none
        case let id? where isKeyID(id): .key(id)
        default: nil
        }
      })
  }

  private static func isKeyID(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }
}
