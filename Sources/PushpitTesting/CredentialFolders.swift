internal import PushpitGateway
internal import Synchronization

/// The temporary folders that a gateway's credentials were written into.
final class CredentialFolders: Sendable {
  private let folders = Mutex<[String]>([])

  /// Makes one more, for its owner only.
  func make() throws(TestGatewayError) -> String {
    let folder: String
    do throws(FileError) {
      folder = try FileSystem.makeTemporaryFolder("pushpit-testing")
    } catch {
      throw .files("\(error)")
    }
    folders.withLock { $0.append(folder) }
    return folder
  }

  /// Removes them.
  func removeAll() {
    for folder in folders.withLock({ $0 }) { FileSystem.removeFolder(folder) }
  }
}
