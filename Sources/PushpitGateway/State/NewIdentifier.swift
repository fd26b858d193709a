internal import PushpitCrypto

/// Makes identifiers in the vendors' forms, from the system's randomness.
enum NewIdentifier {
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  /// A key or team ID of Apple's: ten capital letters and digits.
  static func apple() -> String { SecureRandom.text(10, of: letters) }

  /// `mobilesdk_app_id` of an Android app.
  static func androidApp(projectNumber: String) -> String {
    "1:\(projectNumber):android:\(SecureRandom.text(16, of: "0123456789abcdef"))"
  }

  /// The key that an Android app's SDK sends: 39 characters that begin with `AIza`; SDKs check it.
  static func googleKey() -> String {
    "AIza" + SecureRandom.text(35, of: letters + letters.lowercased())
  }
}
