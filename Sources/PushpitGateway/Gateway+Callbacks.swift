internal import PushpitDevices
internal import PushpitModel

/// What apps report to their providers.
extension Gateway {
  /// Sends callbacks from now on.
  /// - Throws: `GatewayError` when those of the configuration file cannot be.
  func startCallbacks(_ core: GatewayCore, _ state: StateFolder) throws(GatewayError) {
    if let value = configuration.callbacks {
      do throws(DeviceError) {
        core.devices.defaultCallbacks = try DeviceCallbacks(json: value)
      } catch {
        throw .configuration("cannot use the callbacks of the configuration file: \(error)")
      }
    }
    let exchange = CallbackExchange(
      loop: loop, rules: CallbackTargetRules(names: configuration.callbackHosts),
      authority: state.certificates.authority, timeLimit: configuration.callbackTimeLimit)
    let sender = CallbackSender(exchange) { [weak self] request, outcome in
      self?.assumeIsolated { $0.note(outcome, of: request) }
    }
    callbacks = sender
    core.news.sendCallback = { request in sender.assumeIsolated { $0.send(request) } }
  }

  private func note(_ outcome: CallbackOutcome, of request: CallbackRequest) {
    guard let core else { return }
    let isGood = outcome.status.map { (200..<300).contains($0) } ?? false
    // The URL can hold the whole token.
    core.log.line(
      isGood ? .info : .warning, "callbacks", isGood ? "sent" : "not taken",
      [
        "device": .text(request.device.rawValue), "callback": .text(request.kind.rawValue),
        "host": .text(request.authority), "try": .number(outcome.number),
        "status": .text(outcome.status.map { String($0) } ?? ""),
        "error": .text(outcome.error ?? ""),
      ])
    core.devices.note(outcome, of: request)
  }
}
