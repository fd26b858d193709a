internal import PushpitGateway
internal import PushpitModel
internal import Synchronization

/// The temporary folders that a gateway's credentials were written into.
final class CredentialFolders: Sendable {
  private let folders = Mutex<[String]>([])

  /// Writes them into a new folder.
  func makeFiles(of state: StateFolder, port: Int) throws(TestGatewayError) -> TestCredentialFiles {
    let folder: String
    do throws(FileError) {
      folder = try FileSystem.makeTemporaryFolder("pushpit-testing")
    } catch {
      throw .files("\(error)")
    }
    folders.withLock { $0.append(folder) }
    let paths: StatePaths
    do throws(StateError) {
      paths = try state.copy(to: folder, port: port)
    } catch {
      throw .files("\(error)")
    }
    return TestCredentialFiles(
      folder: paths.folder, certificateAuthority: paths.authority,
      certificateBundle: paths.authorityBundle,
      apnsKey: paths.apnsKey(state.defaults.apnsKey.keyID), serviceAccount: paths.serviceAccount,
      googleServices: paths.googleServices)
  }

  /// Removes them.
  func removeAll() {
    for folder in folders.withLock({ $0 }) { FileSystem.removeFolder(folder) }
  }
}
