import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitGateway

@Suite struct VendorRouterTests {
  private func vendor(
    _ target: String, host: String = "localhost:2197",
    fields: KeyValuePairs<String, String> = [:]
  ) -> Vendor {
    VendorRouter.vendor(
      of: RequestHead(method: "POST", target: target, authority: host, fields: fields))
  }

  @Test(arguments: [
    "/1/apps/com.a/channels", "/3/device/00", "/3/", "/3/device/a?b=c", "/4/broadcasts/apps/com.a",
  ])
  func `paths of Apple's versions are Apple's`(target: String) {
    #expect(vendor(target) == .apple)
  }

  @Test(arguments: [
    "/", "", "/3", "/2/device/00", "/v1/projects/p/messages:send", "/token", "/33/device/00",
    "3/device", "*",
  ])
  func `every other path is Google's`(target: String) {
    #expect(vendor(target) == .google)
  }

  @Test func `a field of APNs makes any path Apple's`() {
    #expect(vendor("/send", fields: ["apns-topic": "com.a"]) == .apple)
    #expect(vendor("/send", fields: ["apns-": "x"]) == .google)
    #expect(vendor("/send", fields: ["x-apns-topic": "com.a"]) == .google)
  }

  @Test func `a vendor's host decides before the path`() {
    for host in ["api.push.apple.com", "API.Sandbox.Push.Apple.com:443"] {
      #expect(vendor("/v1/projects/p/messages:send", host: host) == .apple)
    }
    for host in ["fcm.googleapis.com", "oauth2.googleapis.com:443", "metadata.google.internal"] {
      #expect(vendor("/3/device/00", host: host) == .google)
    }
    for host in ["push.apple.com.example.org", "notgoogleapis.com", "[::1]:2197", ""] {
      #expect(vendor("/3/device/00", host: host) == .apple)
      #expect(vendor("/token", host: host) == .google)
    }
  }

  @Test(arguments: [
    ("api.push.apple.com", APNsEnvironment.production),
    ("api.push.apple.com:2197", .production), ("API.PUSH.APPLE.COM", .production),
    ("api.sandbox.push.apple.com", .sandbox),
    // An alias of the sandbox: same addresses, seen in June 2026.
    ("api.development.push.apple.com:443", .sandbox),
    ("api-broadcast.push.apple.com", .production),
    ("api-manage-broadcast.sandbox.push.apple.com:2195", .sandbox),
  ])
  func `Apple's hosts name the environment`(host: String, environment: APNsEnvironment) {
    let head = RequestHead(method: "POST", target: "/3/device/00", authority: host)
    for fallback in APNsEnvironment.allCases {
      #expect(
        VendorRouter.environment(of: head, serverName: nil, fallback: fallback) == environment)
    }
  }

  @Test func `without a host of Apple's the server name decides, then the port`() {
    let head = RequestHead(method: "POST", target: "/3/device/00", authority: "localhost:2197")
    func environment(_ name: String?) -> APNsEnvironment {
      VendorRouter.environment(of: head, serverName: name, fallback: .sandbox)
    }
    #expect(environment("api.push.apple.com") == .production)
    #expect(environment("localhost") == .sandbox)
    #expect(environment(nil) == .sandbox)
  }
}
