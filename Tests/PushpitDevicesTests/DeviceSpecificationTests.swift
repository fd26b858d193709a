import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct DeviceSpecificationTests {
  static let fcmToken =
    String(repeating: "i", count: 22) + ":APA91b" + String(repeating: "x", count: 134)
  static let apnsToken = String(repeating: "aB", count: 32)

  func specification(_ text: String) throws -> DeviceSpecification {
    try DeviceSpecification(json: json(text))
  }

  func problems(_ text: String) throws -> [InputProblem] {
    do {
      _ = try specification(text)
      return []
    } catch DeviceError.invalid(let problems) {
      return problems
    }
  }

  @Test func `a platform is enough`() throws {
    let specification = try specification(#"{"platform":"ios"}"#)
    #expect(specification.app == "com.example.app")
    #expect(specification.environment == .sandbox)
    #expect(!specification.hasFirebase)
    #expect(specification == DeviceSpecification(platform: .ios))
  }

  @Test func `only an iOS device has an environment by default`() throws {
    #expect(try specification(#"{"platform":"android"}"#).environment == nil)
    #expect(try specification(#"{"platform":"web"}"#).environment == nil)
  }

  @Test func `everything can be given`() throws {
    let specification = try specification(
      """
      {"platform":"ios","app":"com.respondo.demo","environment":"production","name":"Anna's",
       "firebase":true,"tokens":{"apns":"\(Self.apnsToken)","fcm":"\(Self.fcmToken)"},
       "project":"p-1","contract":"respondo","online":true,"permission":"denied",
       "foreground":{"conversation":"42"}}
      """)
    var settings = DeviceChange()
    settings.name = "Anna's"
    settings.online = .requested(true)
    settings.permission = .denied
    settings.foreground = .conversation("42")
    #expect(
      specification
        == DeviceSpecification(
          platform: .ios, app: "com.respondo.demo", environment: .production, name: "Anna's",
          hasFirebase: true, apnsToken: Self.apnsToken, fcmToken: Self.fcmToken, project: "p-1",
          contract: "respondo", settings: settings))
  }

  @Test func `an FCM token given to an iOS device means that it has Firebase`() throws {
    let text = #"{"platform":"ios","tokens":{"fcm":"\#(Self.fcmToken)"}}"#
    #expect(try specification(text).hasFirebase)
  }

  @Test(arguments: [
    ("[]", "", "expected an object"),
    ("{}", "/platform", "expected one of ios, android, web"),
    (#"{"platform":"symbian"}"#, "/platform", "expected one of ios, android, web"),
    (#"{"platform":1}"#, "/platform", "expected one of ios, android, web"),
    (#"{"platform":"ios","app":""}"#, "/app", "bundle ID"),
    (#"{"platform":"ios","app":"com example"}"#, "/app", "bundle ID"),
    (#"{"platform":"ios","app":"com.éxample"}"#, "/app", "bundle ID"),
    (#"{"platform":"ios","app":7}"#, "/app", "expected a string"),
    (#"{"platform":"ios","environment":"test"}"#, "/environment", "sandbox, production"),
    (#"{"platform":"android","environment":"sandbox"}"#, "/environment", "no APNs environment"),
    (#"{"platform":"android","firebase":true}"#, "/firebase", "always has FCM"),
    (#"{"platform":"ios","firebase":"yes"}"#, "/firebase", "true or false"),
    (#"{"platform":"ios","tokens":[]}"#, "/tokens", "expected an object"),
    (
      #"{"platform":"ios","tokens":{"watch":"x"}}"#, "/tokens/watch",
      "known are apns, complication, controls, fcm"
    ),
    (#"{"platform":"ios","tokens":{"apns":"<aabb>"}}"#, "/tokens/apns", "hexadecimal digits"),
    (#"{"platform":"ios","tokens":{"apns":5}}"#, "/tokens/apns", "expected a string"),
    (#"{"platform":"web","tokens":{"apns":"\#(apnsToken)"}}"#, "/tokens/apns", "no APNs token"),
    (#"{"platform":"web","tokens":{"fcm":"\#(apnsToken)"}}"#, "/tokens/fcm", "APNs device token"),
    (#"{"platform":"web","tokens":{"fcm":"abc"}}"#, "/tokens/fcm", "APA91b"),
    (
      #"{"platform":"ios","firebase":false,"tokens":{"fcm":"\#(fcmToken)"}}"#, "/firebase",
      "cannot be false"
    ),
    (#"{"platform":"ios","name":""}"#, "/name", "must not be empty"),
    (
      #"{"platform":"ios","name":"\#(String(repeating: "n", count: 257))"}"#, "/name",
      "has more than 256 characters"
    ),
    (#"{"platform":"ios","project":""}"#, "/project", "must not be empty"),
    (#"{"platform":"ios","contract":""}"#, "/contract", "must not be empty"),
    (#"{"platform":"ios","plat/form":1}"#, "/plat~1form", "unknown member"),
    (#"{"platform":"ios","a~b":1}"#, "/a~0b", "unknown member"),
    (#"{"platform":"ios","online":"yes"}"#, "/online", "true or false"),
    (#"{"platform":"ios","permission":"maybe"}"#, "/permission", "granted, denied"),
    (#"{"platform":"ios","foreground":"x"}"#, "/foreground", "expected false, true or"),
    (#"{"platform":"ios","foreground":{}}"#, "/foreground", "expected false, true or"),
  ])
  func `a problem is named with its place`(
    _ text: String, _ pointer: String, _ detail: String
  ) throws {
    let problems = try problems(text)
    let found = problems.contains { $0.pointer == pointer && $0.detail.contains(detail) }
    #expect(found, "\(problems)")
  }

  @Test func `all problems are told at once`() throws {
    let text = #"{"platform":"ios","app":"","name":7,"x":1,"tokens":{"apns":"z"}}"#
    #expect(try Set(problems(text).map(\.pointer)) == ["/app", "/name", "/x", "/tokens/apns"])
  }

  @Test func `of very many problems the first hundred are told`() throws {
    let members = (1...5000).map { "\"x\($0)\":1" }.joined(separator: ",")
    #expect(try problems(#"{"platform":"ios",\#(members)}"#).count == 100)
  }

  @Test func `an FCM token as the APNs token of an iOS device is the mistake with a name`() throws {
    let problem = try #require(
      try problems(#"{"platform":"ios","tokens":{"apns":"\#(Self.fcmToken)"}}"#).first)
    #expect(problem.code == .androidTokenRegisteredAsIOS)
    #expect(problem.pointer == "/tokens/apns")
    #expect(problem.detail.contains("getAPNSToken()"))
  }

  @Test func `null is as absent`() throws {
    let text = #"{"platform":"ios","name":null,"tokens":null,"environment":null,"app":null}"#
    #expect(try specification(text) == DeviceSpecification(platform: .ios))
  }
}
