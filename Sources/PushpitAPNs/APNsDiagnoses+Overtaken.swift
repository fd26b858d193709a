package import PushpitModel

/// The codes of requests that the end of their connection overtook.
extension DiagnosisCode {
  package static let requestStalled = DiagnosisCode("request-stalled")
  package static let gatewayStopping = DiagnosisCode("gateway-stopping")
}

extension APNsDiagnoses {
  static func requestStalled(_ count: Int, limit: Duration) -> Diagnosis {
    Diagnosis(
      .requestStalled,
      what: "of the request's body \(count) bytes came, then the connection was silent for the "
        + "workspace's idle time of \(limit)",
      fix: "end each request with END_STREAM as soon as its body is written, or set idleTimeout to "
        + "more than the sender's pauses")
  }

  static func gatewayStopping() -> Diagnosis {
    Diagnosis(
      .gatewayStopping,
      what: "the request became complete when the gateway had announced its stop with GOAWAY",
      fix: "send it again over a new connection; a sender treats GOAWAY as the end for new requests"
    )
  }
}
