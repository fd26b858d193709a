internal import PushpitConsole
internal import PushpitHTTP
internal import PushpitNetwork

extension Gateway {
  /// Stops on SIGTERM, SIGINT or SIGHUP; a second signal while stopping is ignored.
  /// - Throws: `GatewayError` when the system refuses to watch signals.
  package func stopOnSignals() throws(GatewayError) {
    do throws(NetworkError) {
      for signal in SignalWatcher.Signal.endings {
        signals.append(
          try SignalWatcher(loop, signal) { [weak self] in
            self?.assumeIsolated { $0.beginStop(because: signal.name) }
          })
      }
    } catch {
      throw .configuration("\(error)")
    }
  }

  /// Returns when the gateway has stopped.
  package func waitUntilStopped() async {
    guard !isOver else { return }
    await withCheckedContinuation { whenStopped.append($0) }
  }

  /// Stops: GOAWAY to every peer, requests in progress finish within the grace, then the end.
  package func stop() async {
    beginStop(because: "asked to")
    await waitUntilStopped()
    await dataWriter?.loop.stop()
    await loop.stop()
  }

  private func beginStop(because reason: String) {
    guard !isStopping else { return }
    isStopping = true
    // Of a gateway that never started, its error says enough.
    if report != nil {
      core?.log.line(.info, "gateway", "stopping", ["because": .text(reason)])
    }
    vendors?.isStopping = true
    guard let server else { return finishStop() }
    server.stop(grace: Self.stopGrace) { [weak self] in
      self?.assumeIsolated { $0.finishStop() }
    }
    console?.endStreams()
  }

  private func finishStop() {
    hasStopped = true
    if report != nil {
      core?.log.line(.info, "gateway", "stopped")
      removeReadyFile()
    }
    core?.log.flush()
    logTimer?.cancel()
    alarmTimer?.cancel()
    callbacks?.assumeIsolated { $0.stop() }
    guard let data else { return resumeWaiting() }
    data.finish { [weak self] in
      self?.assumeIsolated { $0.closeData() }
    }
  }

  private func closeData() {
    core?.log.flush()
    Task {
      await dataWriter?.close()
      resumeWaiting()
    }
  }

  /// OpenSSL must not be at work when the process ends: it cleans up what it uses.
  private func resumeWaiting() {
    status?.keeper?.keys.stop()
    guard let keyTask else { return finishWaiting() }
    Task {
      await keyTask.value
      finishWaiting()
    }
  }

  private func finishWaiting() {
    isOver = true
    for continuation in whenStopped { continuation.resume() }
    whenStopped = []
    data = nil
  }

  /// Writes gathered log lines before they are old.
  func startLogTimer(_ log: Log) {
    logTimer = Timer(loop, after: Self.logDelay, repeating: Self.logDelay) { log.flush() }
  }
}
