internal import PushpitGateway
internal import PushpitModel

/// The certificates and credentials of a gateway, as texts that senders take.
public struct TestCredentials: Sendable, Equatable {
  /// The certificate authority to trust, in PEM.
  public let certificateAuthority: String
  /// The key that signs provider tokens for APNs, in PEM: what Apple gives out as a `.p8` file.
  public let apnsKey: String
  /// The ID of that key.
  public let apnsKeyID: String
  /// The team of that key.
  public let teamID: String
  /// The service account, as the JSON file that Google gives out; its token endpoint is this gateway's.
  public let serviceAccount: String
  /// The Firebase project of that account.
  public let projectID: String
  /// `google-services.json` of an Android app.
  public let googleServices: String
}

extension Gateway {
  /// What its state holds, as texts.
  func testCredentials() throws(GatewayError) -> TestCredentials {
    guard let state else { throw .state("the gateway has no credentials") }
    func text(_ path: String) throws(GatewayError) -> String {
      do throws(StateError) {
        return String(decoding: try state.contents(of: path), as: UTF8.self)
      } catch {
        throw .state("\(error)")
      }
    }
    let key = state.defaults.apnsKey
    return TestCredentials(
      certificateAuthority: try text(state.paths.authority),
      apnsKey: try text(state.paths.apnsKey(key.keyID)), apnsKeyID: key.keyID, teamID: key.teamID,
      serviceAccount: try text(state.paths.serviceAccount),
      projectID: state.defaults.serviceAccount.projectID,
      googleServices: try text(state.paths.googleServices))
  }
}
