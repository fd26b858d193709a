internal import PushpitCrypto

/// Why a state folder cannot be used, in one line that names the way out.
package enum StateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The system refused a file operation.
  case file(FileError)
  /// A file is needed but missing, and it is not the time or the place to make it.
  case missing(path: String)
  /// A file cannot be used as it is; it is never overwritten unasked.
  case unusable(path: String, reason: String, wayOut: String)
  /// The folder was written by a later Pushpit.
  case newerVersion(path: String, version: Int)
  /// A host name is no host name and no address.
  case invalidHost(String)
  /// The authority does not permit a host name.
  case hostNotPermitted(String, authority: String)
  /// Making keys or certificates failed.
  case cryptography(String)
  /// A credential is known already; it belongs to this workspace.
  case knownCredential(String, workspace: String)

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .missing(let path): "\(path) is missing and cannot be made"
    case .unusable(let path, let reason, let wayOut): "\(path) \(reason); \(wayOut)"
    case .newerVersion(let path, let version):
      "\(path) is of version \(version), this pushpit knows \(StateFolder.version); "
        + "use a newer pushpit, or another folder with --state"
    case .invalidHost(let host): "'\(host)' in --host is no host name and no IP address"
    case .hostNotPermitted(let host, let authority):
      "\(authority) does not permit the name '\(host)'; to have a new CA made that does, move "
        + "ca.pem and ca.key of that folder away and keep --host \(host)"
    case .cryptography(let reason): "cannot \(reason)"
    case .knownCredential(let name, let workspace):
      "\(name) is known already, in the workspace '\(workspace)'"
    }
  }

  /// The error of a damaged file that is made anew when it is moved away.
  static func damaged(_ path: String, _ reason: String) -> StateError {
    .unusable(
      path: path, reason: "is damaged (\(reason))", wayOut: "move it away to have it made anew")
  }

  /// Runs a file operation.
  static func filing<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(StateError) -> Value {
    do { return try body() } catch { throw .file(error) }
  }

  /// Runs something of PushpitCrypto whose failure is not a file's fault.
  static func making<Value>(
    _ body: () throws(CryptoError) -> Value
  ) throws(StateError) -> Value {
    do { return try body() } catch { throw .cryptography(error.description) }
  }
}
