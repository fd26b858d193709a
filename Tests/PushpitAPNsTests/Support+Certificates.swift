import PushpitModel

extension ProviderCertificate {
  /// A certificate as Apple makes them today, valid at the moment of the tests.
  static func universal(
    _ app: String = Gateway.topic, environments: [APNsEnvironment] = APNsEnvironment.allCases,
    key: UInt8 = 1, workspace: WorkspaceID = .default
  ) -> ProviderCertificate {
    with(
      userID: app,
      topics: [(app, "app"), ("\(app).voip", "voip"), ("\(app).complication", "complication")],
      environments: environments, key: key, workspace: workspace)
  }

  static func with(
    userID: String = Gateway.topic, topics: [(String, String)] = [],
    environments: [APNsEnvironment] = APNsEnvironment.allCases, key: UInt8 = 1,
    days: ClosedRange<Int64> = -1...364, workspace: WorkspaceID = .default
  ) -> ProviderCertificate {
    ProviderCertificate(
      subject: "UID=\(userID), CN=Apple Push Services: \(userID)", userID: userID,
      topics: topics.map { Topic(name: $0.0, kind: $0.1) }, environments: environments,
      publicKey: [key], notBefore: Gateway.now + .seconds(days.lowerBound * 86_400),
      notAfter: Gateway.now + .seconds(days.upperBound * 86_400), der: [],
      fingerprint: "f\(key)", workspace: workspace)
  }
}

extension Gateway {
  /// Sends the valid push, without a provider token, on a new connection with a certificate.
  func send(
    by certificate: ProviderCertificate, isKnown: Bool = true,
    _ change: (inout TestPush) -> Void = { _ in }
  ) -> TestAnswer {
    // Known already is as good.
    if isKnown { try? credentials.add(certificate) }
    return send {
      $0.certificate = certificate
      $0.set("authorization", nil)
      change(&$0)
    }
  }
}
