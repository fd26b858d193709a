internal import PushpitDevices
internal import PushpitModel
internal import PushpitRecording

extension Console {
  /// `GET /metrics`, in Prometheus' text format 0.0.4.
  func showMetrics(_ call: ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer {
    try call.query.finish()
    var metrics = MetricsText()
    metrics.begin("pushpit_envelopes_total", "counter", "Envelopes recorded since the start.")
    for service in PushService.allCases {
      for isAccepted in [true, false] {
        metrics.sample(
          store.recordedCount(service, isAccepted: isAccepted),
          labels: [
            ("service", service.rawValue), ("outcome", isAccepted ? "accepted" : "rejected"),
          ])
      }
    }
    metrics.single(
      "pushpit_envelopes", "gauge", "Envelopes that are kept.", UInt64(store.count))
    metrics.single(
      "pushpit_envelope_bytes", "gauge", "Memory that holds requests.",
      UInt64(store.heldByteCount))
    metrics.single(
      "pushpit_envelopes_evicted_total", "counter", "Envelopes forgotten at a limit.",
      store.evictedCount)
    metrics.single(
      "pushpit_delivery_steps_forgotten_total", "counter", "Delivery steps not kept at a limit.",
      store.forgottenStepCount)
    metrics.begin(
      "pushpit_delivery_steps_total", "counter", "Steps of pushes on devices since the start.")
    for state in DeliveryState.allCases {
      metrics.sample(devices.stepCount(state), labels: [("state", state.rawValue)])
    }
    metrics.single("pushpit_events_total", "counter", "Events since the start.", events.newestID)
    metrics.single(
      "pushpit_event_streams", "gauge", "Readers of /events.", UInt64(events.subscriberCount))
    metrics.single(
      "pushpit_devices", "gauge", "Devices that are declared.", UInt64(devices.count()))
    metrics.single(
      "pushpit_undeclared_tokens", "gauge", "Tokens in use that nobody registered.",
      UInt64(tokens.undeclaredCount))
    metrics.single(
      "pushpit_undeclared_tokens_forgotten_total", "counter",
      "Undeclared tokens forgotten at a limit.", UInt64(tokens.forgottenCount))
    metrics.single(
      "pushpit_connections", "gauge", "Connections that are open.",
      UInt64(status?.openConnectionCount ?? 0))
    metrics.single(
      "pushpit_connections_total", "counter", "Connections accepted since the start.",
      status?.acceptedConnectionCount ?? 0)
    let lost = status?.lostData ?? (batchCount: 0, entryCount: 0)
    metrics.single(
      "pushpit_data_failed_batches_total", "counter", "Batches that the data file did not take.",
      lost.batchCount)
    metrics.single(
      "pushpit_data_dropped_entries_total", "counter",
      "Entries that the data file was too slow for.", lost.entryCount)
    return text(type: "text/plain; version=0.0.4; charset=utf-8", metrics.text)
  }
}

/// Prometheus' text exposition format.
private struct MetricsText {
  private(set) var text = ""
  private var name = ""

  /// Begins a metric, of which samples follow.
  mutating func begin(_ name: String, _ type: String, _ help: String) {
    self.name = name
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// A value of the metric that was begun; label values must need no escapes.
  mutating func sample(_ value: UInt64, labels: [(String, String)] = []) {
    let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
    text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  /// A metric with one value.
  mutating func single(_ name: String, _ type: String, _ help: String, _ value: UInt64) {
    begin(name, type, help)
    sample(value)
  }
}
