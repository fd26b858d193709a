internal import PushpitConsole
internal import PushpitCrypto
internal import PushpitDevices
internal import PushpitHTTP
internal import PushpitJSON
internal import PushpitModel
internal import PushpitNetwork

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Gateway {
  /// Opens the state folder, listens on every port, and writes the ready file.
  /// - Throws: `GatewayError`; nothing stays open.
  package func start() async throws(GatewayError) -> ReadyReport {
    do throws(GatewayError) {
      return try open()
    } catch {
      await stop()
      throw error
    }
  }

  private func open() throws(GatewayError) -> ReadyReport {
    removeReadyFile()
    let state = try openState()
    let credentials = try directory(of: state)
    let core = GatewayCore(
      configuration: configuration, credentials: credentials, time: SystemTime(),
      machineAccount: state.defaults.serviceAccount,
      tokenEndpointHosts: ["localhost", "127.0.0.1", "[::1]"] + configuration.hosts,
      contracts: try contracts())
    self.core = core
    let server = HTTPServer(loop: loop)
    self.server = server
    let context = try tlsContext(state)
    let vendors = VendorHandler(core)
    self.vendors = vendors
    let status = GatewayStatus(core: core, server: server, state: state)
    let console = Console(
      store: core.store, events: core.events, devices: core.devices, workspaces: core.workspaces,
      tokens: core.tokens, time: core.time, timers: LoopTimers(loop: loop), status: status,
      access: ConsoleAccess(hosts: configuration.hosts, token: configuration.consoleToken))
    self.status = status
    self.console = console
    var listeners = try listen(server, core, context, vendors)
    listeners += try listenConsole(server, ConsoleHandler(core, console))
    let report = ReadyReport(
      publicHost: configuration.publicHost, listeners: listeners, processID: Int(getpid()),
      statePath: state.paths.folder)
    try announce(state, report)
    core.ledger.place = ConnectionDiagnoses.Place(
      caPath: state.paths.authority, gatewayPort: report.gatewayPort,
      consolePort: report.consolePort, publicHost: report.publicHost)
    status.report = report
    try applySettings(core)
    try startData(core, keepWorkspaces(core, server, vendors, status), server)
    alarmTimer = DeviceAlarmTimer(loop, core.devices, core.time)
    try startCallbacks(core, state)
    try declareDevices(core)
    try writeReadyFile(report)
    status.isReady = true
    self.report = report
    startLogTimer(core.log)
    return report
  }

  private func contracts() throws(GatewayError) -> ContractDirectory {
    do throws(DeviceError) {
      return try ContractDirectory(configured: configuration.contracts)
    } catch {
      throw .configuration("cannot use the contracts of the configuration file: \(error)")
    }
  }

  private func openState() throws(GatewayError) -> StateFolder {
    do throws(StateError) {
      return switch configuration.state {
      case .folder(let path):
        try StateFolder.open(path: path, hosts: configuration.hosts, time: SystemTime())
      case .memory: try StateFolder.inMemory(hosts: configuration.hosts, time: SystemTime())
      }
    } catch {
      throw .state("\(error)")
    }
  }

  private func directory(of state: StateFolder) throws(GatewayError) -> CredentialDirectory {
    let directory = CredentialDirectory()
    do throws(CredentialDirectory.Conflict) {
      for key in state.apnsKeys { try directory.add(key) }
      for account in state.serviceAccounts { try directory.add(account) }
      for certificate in state.providerCertificates { try directory.add(certificate) }
      for credential in state.made { try credential.add(to: directory) }
    } catch {
      throw .state("\(state.paths.folder) has a credential twice: \(error)")
    }
    for path in configuration.imports {
      let credential: ImportedCredential
      do throws(CredentialFile.Failure) {
        credential = try CredentialFile(path: path).credential(CredentialFile.Options())
      } catch {
        throw .configuration(error.description)
      }
      do throws(CredentialDirectory.Conflict) {
        try credential.add(to: directory)
      } catch {
        throw .configuration("cannot import \(path): \(credential.name) is known already")
      }
    }
    return directory
  }

  private func tlsContext(_ state: StateFolder) throws(GatewayError) -> TLSContext {
    do throws(CryptoError) {
      let key = try PrivateKey(pem: state.certificates.serverKey)
      let context = try TLSContext(server: state.certificates.server, key: key)
      let names = try Certificate(pem: state.certificates.server).dnsNames
      core?.ledger.knownNames = Set(names.map { $0.lowercased() })
      return context
    } catch {
      throw .state("\(state.paths.server) cannot be used: \(error)")
    }
  }

  /// The addresses to bind: those that were named, else both loopback ones.
  private func addresses(_ named: [String]) -> [String] {
    let wanted = named.isEmpty ? ["localhost"] : named
    return wanted.flatMap { $0 == "localhost" ? ["127.0.0.1", "::1"] : [$0] }
  }

  private func listen(
    _ server: HTTPServer, _ core: GatewayCore, _ context: TLSContext, _ handler: VendorHandler
  ) throws(GatewayError) -> [ReadyReport.Listener] {
    var options = ListenerOptions(tls: context)
    options.session.initialStreamLimit =
      if case .fixed(let count) = configuration.streams { count } else { 1 }
    var listeners: [ReadyReport.Listener] = []
    let main = (hosts: addresses(configuration.binds), port: configuration.port)
    let extra = configuration.extraListeners.map { (hosts: addresses([$0.host]), port: $0.port) }
    let environments =
      [configuration.environment]
      + configuration.extraListeners.map { configuration.environment(of: $0) }
    gatewayOptions = options
    for ((hosts, port), environment) in zip([main] + extra, environments) {
      let flag = listeners.isEmpty ? "--port" : "--listen"
      let bound = try bind(server, hosts, port, options, handler, flag: flag)
      core.setPlace(
        GatewayCore.ListenerPlace(environment: environment), ofListener: server.listenerCount - 1)
      listeners += bound.map {
        ReadyReport.Listener(
          kind: "gateway", host: $0.host, port: $0.port, environment: environment.rawValue)
      }
    }
    return listeners
  }

  private func listenConsole(_ server: HTTPServer, _ handler: ConsoleHandler)
    throws(GatewayError) -> [ReadyReport.Listener]
  {
    var options = ListenerOptions()
    options.session.bodyLimit = 8 << 20
    let hosts = addresses(configuration.consoleBind.map { [$0] } ?? configuration.binds)
    let bound = try bind(
      server, hosts, configuration.consolePort, options, handler, flag: "--console-port")
    return bound.map {
      ReadyReport.Listener(kind: "console", host: $0.host, port: $0.port, environment: nil)
    }
  }

  private func bind(
    _ server: HTTPServer, _ hosts: [String], _ port: Int, _ options: ListenerOptions,
    _ handler: any ServerHandler, flag: String
  ) throws(GatewayError) -> [(host: String, port: Int)] {
    do throws(NetworkError) {
      let port = try server.listen(hosts: hosts, port: port, options: options, handler: handler)
      let index = server.listenerCount - 1
      return server.openHosts(ofListener: index).map { ($0, port) }
    } catch {
      let advice =
        error.isAddressInUse ? "; choose another with \(flag), or 0 for a free one" : ""
      throw .listen("\(error)\(advice)")
    }
  }

  /// Writes the real port into what senders read.
  private func announce(_ state: StateFolder, _ report: ReadyReport) throws(GatewayError) {
    do throws(StateError) {
      try state.setTokenEndpoint(port: report.gatewayPort)
    } catch {
      // A read-only folder still serves; only the file's token endpoint is that of another port.
      core?.log.line(
        .warning, "state", "the token endpoint in the service account's file is not this gateway's",
        ["reason": .text("\(error)")])
    }
  }

  private func applySettings(_ core: GatewayCore) throws(GatewayError) {
    for settings in configuration.settings {
      let problems = WorkspaceSettings.change(settings, of: core.workspaces.default)
      if let problem = problems.first {
        throw .configuration(
          "cannot apply the settings of the configuration file: \(problem.pointer): "
            + problem.detail)
      }
    }
  }

  /// Lets workspaces be made, reset and removed from now on.
  private func keepWorkspaces(
    _ core: GatewayCore, _ server: HTTPServer, _ handler: VendorHandler, _ status: GatewayStatus
  ) -> WorkspaceKeeper {
    let home = core.workspaces.default
    home.settle()
    home.project = status.state.defaults.serviceAccount.projectID
    let keys = KeyPool { [weak self] in self?.assumeIsolated { $0.makeKey() } }
    let keeper = WorkspaceKeeper(
      core: core,
      ports: WorkspacePorts(
        core: core, server: server, hosts: addresses(configuration.binds),
        options: gatewayOptions, handler: handler), keys: keys, status: status)
    status.keeper = keeper
    return keeper
  }

  /// Makes an RSA key off the loop.
  private func makeKey() {
    keyTask = Task.detached(priority: .utility) { [weak self] in
      let result = Result { () throws(CryptoError) in try RSAKeyPair.make() }
      await self?.take(result)
    }
  }

  private func take(_ key: Result<RSAKeyPair, CryptoError>) {
    status?.keeper?.keys.made(key)
  }

  private func declareDevices(_ core: GatewayCore) throws(GatewayError) {
    if let problem = core.declareDevices().first {
      throw .configuration("cannot declare a device of the configuration file: \(problem)")
    }
  }

  /// A file of an earlier run would say "ready" too early, and one left behind for ever.
  func removeReadyFile() {
    if let path = configuration.readyFile { FileSystem.remove(path) }
  }

  private func writeReadyFile(_ report: ReadyReport) throws(GatewayError) {
    guard let path = configuration.readyFile else { return }
    do throws(FileError) {
      try FileSystem.writeAtomically(report.json, to: path, for: .everyone)
    } catch {
      throw .configuration("\(error)")
    }
  }
}
