internal import PushpitCrypto
internal import PushpitJSON
package import PushpitModel

/// The folder that keeps what makes a gateway the same one after a restart.
///
/// Certificates, keys and credentials are made at the first start and reused later; nothing that
/// is there is overwritten unasked, but for the server's certificate, which is renewed.
package struct StateFolder: Sendable, Equatable {
  /// The version of the folder's files that this Pushpit knows.
  package static let version = 1
  /// The gateway's port when none is chosen.
  package static let defaultPort = 2197

  /// PEM of what the gateway shows and trusts.
  package struct Certificates: Sendable, Equatable {
    package let authority: [UInt8]
    /// The server's certificate.
    package let server: [UInt8]
    /// The server's private key.
    package let serverKey: [UInt8]
    /// The authority that signs client certificates; trusted by nobody but the gateway.
    package let providerAuthority: [UInt8]

    init(
      authority: [UInt8], server: (certificate: [UInt8], key: [UInt8]),
      providerAuthority: [UInt8]
    ) {
      self.authority = authority
      self.server = server.certificate
      serverKey = server.key
      self.providerAuthority = providerAuthority
    }
  }

  package let paths: StatePaths
  let storage: StateStorage
  package let certificates: Certificates
  /// What the default workspace got at first start.
  package let defaults: DefaultCredentials
  /// The names that others reach the gateway by, as they were given.
  package let hosts: [String]
  /// What users brought.
  package internal(set) var imported: [ImportedCredential]
  /// What was made on request.
  var made: [MadeCredential] = []

  /// Every signing key of APNs.
  package var apnsKeys: [APNsKey] {
    [defaults.apnsKey] + imported.compactMap { if case .apnsKey(let key) = $0 { key } else { nil } }
  }

  /// Every service account.
  package var serviceAccounts: [ServiceAccount] {
    [defaults.serviceAccount]
      + imported.compactMap { if case .serviceAccount(let account) = $0 { account } else { nil } }
  }

  /// Every certificate of a provider.
  package var providerCertificates: [ProviderCertificate] {
    imported.compactMap { if case .certificate(let certificate) = $0 { certificate } else { nil } }
  }

  /// The name that answers of the gateway give for it: the first of the hosts.
  package var gatewayHost: String { Self.gatewayHost(of: hosts) }

  /// Opens a state folder; makes it, or what it lacks, when that is possible.
  ///
  /// Safe when several processes do it at once: making goes on under a lock, and who finds
  /// everything there needs neither the lock nor a folder that can be written.
  /// - Parameters:
  ///   - path: The folder; relative to the working folder.
  ///   - hosts: Host names and addresses that others reach the gateway by.
  ///   - time: Decides what is expired.
  /// - Returns: The folder's contents.
  /// - Throws: One line that names the file and a way out.
  package static func open(
    path: String, hosts: [String], time: any TimeSource
  ) throws(StateError) -> StateFolder {
    let names = try names(of: hosts)
    let paths = StatePaths(folder: normalized(path))
    let now = time.now.seconds
    func contents(_ mode: StateFiles.Mode) throws(StateError) -> StateFolder {
      try StateFolder(
        files: StateFiles(paths: paths, mode: mode), hosts: hosts, names: names, now: now)
    }
    func contentsMade() throws(StateError) -> StateFolder {
      let lock = try StateError.filing { () throws(FileError) in
        try FileSystem.makeFolder(paths.folder)
        return try FileLock(paths.lock)
      }
      return try withExtendedLifetime(lock) { () throws(StateError) in try contents(.writing) }
    }
    do { return try contents(.reading) } catch let problem {
      do { return try contentsMade() } catch let refusal {
        guard case .file = refusal else { throw refusal }
        // The problem of a file says more than that the folder is read-only.
        guard case .missing = problem else { throw problem }
        // What cannot be renewed may still do.
        do { return try contents(.readingUnrenewed) } catch { throw refusal }
      }
    }
  }

  /// Makes a state that is kept in memory only, all of it new.
  package static func inMemory(
    hosts: [String], time: any TimeSource
  ) throws(StateError) -> StateFolder {
    let files = StateFiles(
      paths: StatePaths(folder: MemoryFiles.folder), mode: .writing,
      storage: .memory(MemoryFiles()))
    return try StateFolder(
      files: files, hosts: hosts, names: names(of: hosts), now: time.now.seconds)
  }

  private static func names(of hosts: [String]) throws(StateError) -> [CertificateName] {
    var names: [CertificateName] = []
    for host in hosts {
      guard let name = CertificateName(host) else { throw .invalidHost(host) }
      names.append(name)
    }
    return names
  }

  private init(
    files: StateFiles, hosts: [String], names: [CertificateName], now: Int64
  ) throws(StateError) {
    paths = files.paths
    storage = files.storage
    self.hosts = hosts
    try Self.checkVersion(files)
    certificates = try StateCertificates(files: files, hosts: names, now: now).open()
    defaults = try DefaultCredentialFiles(
      files: files,
      tokenURI: Self.tokenURI(host: Self.gatewayHost(of: hosts), port: Self.defaultPort)
    ).open()
    try files.makeFolder(paths.workspaces)
    imported = try ImportedCredential.all(in: paths.imported, of: storage)
    made = try MadeCredential.all(in: paths.made, of: storage, accounts: serviceAccounts)
  }

  private static func checkVersion(_ files: StateFiles) throws(StateError) {
    let path = files.paths.state
    let bytes = try files.read(path, for: .everyone) { () throws(StateError) in
      JSONValue.object(JSONObject(["version": .int(version)])).serialized()
        + [UInt8(ascii: "\n")]
    }
    let state = try StateFiles.object(bytes, of: path)
    guard let found = state["version"]?.intValue, found >= 1 else {
      throw .damaged(path, "it has no version")
    }
    if found > version { throw .newerVersion(path: path, version: found) }
  }

  /// Where senders fetch access tokens, for the gateway at this port.
  package func tokenURI(port: Int) -> String {
    Self.tokenURI(host: gatewayHost, port: port)
  }

  /// Writes the endpoints of a gateway at this port into the files that senders use.
  ///
  /// Only those members change, and only when they differ. To be called when the port is known.
  /// - Throws: When one differs and its file cannot be written.
  package func setTokenEndpoint(port: Int) throws(StateError) {
    try setServiceAccountEndpoint(port: port)
    for credential in made { try write(credential, port: port) }
  }

  private func write(_ credential: MadeCredential, port: Int) throws(StateError) {
    try credential.write(
      with: writer,
      gateway: Self.gatewayURL(host: gatewayHost, port: port), folder: paths.made)
  }

  private func setServiceAccountEndpoint(port: Int) throws(StateError) {
    let uri = JSONValue.string(tokenURI(port: port))
    if try serviceAccountObject()["token_uri"] == uri { return }
    let lock = try StateError.filing { () throws(FileError) in try storage.lock(paths.lock) }
    defer { withExtendedLifetime(lock) {} }
    var object = try serviceAccountObject()
    object["token_uri"] = uri
    try writer.write(
      StateFiles.text(object), to: paths.serviceAccount, for: .owner)
  }

  private func serviceAccountObject() throws(StateError) -> JSONObject {
    try StateFiles.object(contents(of: paths.serviceAccount), of: paths.serviceAccount)
  }

  /// Keeps the public half of a credential that a user brought.
  ///
  /// - Throws: `knownCredential` when it is there already, in whichever workspace.
  package mutating func add(_ credential: ImportedCredential) throws(StateError) {
    let lock = try StateError.filing { () throws(FileError) in
      try storage.makeFolder(paths.imported)
      return try storage.lock(paths.lock)
    }
    defer { withExtendedLifetime(lock) {} }
    // Another process may have added some since.
    imported = try ImportedCredential.all(in: paths.imported, of: storage)
    let directory = CredentialDirectory()
    for key in apnsKeys { try? directory.add(key) }
    for account in serviceAccounts { try? directory.add(account) }
    for certificate in providerCertificates { try? directory.add(certificate) }
    do { try credential.add(to: directory) } catch {
      switch error {
      case .belongs(let workspace):
        throw .knownCredential(credential.name, workspace: workspace.rawValue)
      }
    }
    try writer.write(
      StateFiles.text(credential.object), to: "\(paths.imported)/\(credential.fileName)",
      for: .owner)
    imported.append(credential)
  }

  var writer: StateFiles {
    StateFiles(paths: paths, mode: .writing, storage: storage)
  }

  static func normalized(_ path: String) -> String {
    var path = FileSystem.absolute(path)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private static func gatewayHost(of hosts: [String]) -> String {
    guard let first = hosts.first else { return "localhost" }
    return first.contains(":") && !first.hasPrefix("[") ? "[\(first)]" : first
  }

  private static func tokenURI(host: String, port: Int) -> String {
    gatewayURL(host: host, port: port) + "/token"
  }

  static func gatewayURL(host: String, port: Int) -> String {
    "https://\(host):\(port)"
  }
}
