/// The paths of the files of a gateway's certificates and credentials.
public struct TestCredentialFiles: Sendable, Equatable {
  /// The folder that has them all.
  public let folder: String
  /// The certificate authority to trust, in PEM.
  public let certificateAuthority: String
  /// The system's authorities and the gateway's, for variables like `SSL_CERT_FILE`.
  public let certificateBundle: String
  /// The key that signs provider tokens for APNs: `AuthKey_<key ID>.p8`.
  public let apnsKey: String
  /// For `GOOGLE_APPLICATION_CREDENTIALS`.
  public let serviceAccount: String
  /// `google-services.json` of an Android app.
  public let googleServices: String
}
