import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct GatewayConfigurationTests {
  @Test(
    arguments: [
      (2195, nil, APNsEnvironment.sandbox), (2196, nil, .production), (443, nil, .sandbox),
      (2196, .sandbox, .sandbox), (2195, .production, .production),
    ] as [(Int, APNsEnvironment?, APNsEnvironment)])
  func `Apple's ports for channels have their environment unless it is given`(
    port: Int, given: APNsEnvironment?, environment: APNsEnvironment
  ) {
    let listener = GatewayConfiguration.ExtraListener(
      environment: given, host: "127.0.0.1", port: port)
    #expect(GatewayConfiguration().environment(of: listener) == environment)
  }

  @Test func `another port has the default environment`() {
    var configuration = GatewayConfiguration()
    configuration.environment = .production
    let listener = GatewayConfiguration.ExtraListener(
      environment: nil, host: "127.0.0.1", port: 443)
    #expect(configuration.environment(of: listener) == .production)
  }
}
