import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

/// Topics of devices and what reaches them; evidence: Google, "Topic messaging" and "Lifetime of a
/// message".
@Suite struct TopicTests {
  let fixture = Fixture()

  private func make(
    _ platform: Platform = .android, topics: [String]? = nil, online: Bool? = true,
    project: String? = nil, app: String = DeviceSpecification.defaultApp
  ) throws -> Device {
    var specification = DeviceSpecification(
      platform: platform, app: app, hasFirebase: platform == .ios, project: project)
    specification.settings.topics = topics
    specification.settings.online = online.map(DeviceChange.Online.requested)
    return try fixture.directory.create(specification)
  }

  private func send(
    _ envelope: EnvelopeNumber, to recipients: FanOut.Recipients,
    projects: [String] = ["demo-project", "123"], package: String? = nil,
    timeToLive: Duration? = nil, refusal: APNsRelay.Refusal? = nil
  ) {
    var outcome = PushOutcome(service: .fcm, workspace: .default, status: 200)
    func message(_ platform: Platform) -> FanOut.Message {
      let text =
        platform == .ios
        ? #"{"aps":{},"for":"\#(platform)"}"# : #"{"data":{"for":"\#(platform)"}}"#
      return FanOut.Message(
        payload: Array(text.utf8), collapse: Array("key".utf8), timeToLive: timeToLive)
    }
    outcome.fanOut = FanOut(
      recipients: recipients, projects: projects, restrictedPackageName: package,
      android: message(.android), web: message(.web)
    ) { record throws(APNsRelay.Refusal) in
      if let refusal { throw refusal }
      return message(.ios)
    }
    fixture.directory.deliver(outcome, envelope: envelope)
  }

  @Test func `what APNs refuses is dropped on the device, with its reason`() throws {
    let phones = [try make(.ios, topics: ["news"]), try make(.android, topics: ["news"])]
    let refusal = APNsRelay.Refusal(
      status: 403, reason: "InvalidProviderToken",
      diagnosis: Diagnosis(.tokenUnknown, what: "no key", fix: "f"))
    send(1, to: .topics(TopicSelection(topic: "news")), refusal: refusal)
    let steps = fixture.recorder.steps.map(\.step)
    #expect(steps.map(\.device) == phones.map(\.id))
    #expect(steps.map(\.state) == [.dropped, .delivered])
    #expect(steps[0].cause == "APNs refuses it with 403 InvalidProviderToken: no key")
    #expect(phones[0].inbox.isEmpty)
  }

  private func send(_ envelope: EnvelopeNumber, to topic: String) {
    send(envelope, to: .topics(TopicSelection(topic: topic)))
  }

  private var reached: [DeviceID] { fixture.recorder.steps.map(\.step.device) }

  private func problems(_ body: () throws -> Void) throws -> [InputProblem] {
    do {
      try body()
      return []
    } catch DeviceError.invalid(let problems) {
      return problems
    }
  }

  // MARK: Subscriptions

  @Test func `a device is made with topics, shows them by name, and a change replaces them`() throws
  {
    let device = try make(topics: ["b", "a", "b"])
    #expect(try written { device.write(into: &$0) }["topics"] == ["a", "b"])
    try fixture.directory.change(device.id, DeviceChange(json: ["topics": ["c", "a"]]))
    #expect(device.topics == ["a", "c"])
    try fixture.directory.change(device.id, DeviceChange(json: ["name": "Anna's"]))
    #expect(device.topics == ["a", "c"])
    try fixture.directory.change(device.id, DeviceChange(json: ["topics": []]))
    #expect(device.topics.isEmpty)
    #expect(fixture.workspaces.default.topics.count == 0)
  }

  @Test func `what a sender subscribes is seen on the device`() throws {
    let device = try make()
    let token = try #require(device.fcmToken).token
    try fixture.workspaces.default.topics.subscribe(
      token, to: "a", in: "demo-project", at: fixture.time.now)
    #expect(device.topics == ["a"])
  }

  @Test(arguments: ["/topics/a", "", "a b"])
  func `a name that is none is refused, and nothing is made or changed`(_ name: String) throws {
    #expect(
      try problems { _ = try make(topics: ["a", name]) }.map(\.pointer) == ["/topics/1"])
    #expect(fixture.directory.count() == 0)
    let device = try make(topics: ["a"])
    let change = try DeviceChange(json: ["topics": [.string(name)], "name": "other"])
    let found = try problems { try fixture.directory.change(device.id, change) }
    #expect(found.map(\.pointer) == ["/topics/0"])
    #expect(device.name == "android 1")
    #expect(device.topics == ["a"])
  }

  @Test(arguments: [#""a""#, "[1]", "{}"])
  func `topics are an array of strings`(value: String) throws {
    let body = try json(#"{"topics":\#(value)}"#)
    #expect(try problems { _ = try DeviceChange(json: body) }.map(\.pointer) == ["/topics"])
  }

  @Test func `an iPhone without Firebase, and an app that is gone, have no topics`() throws {
    var specification = DeviceSpecification(platform: .ios)
    specification.settings.topics = ["a"]
    #expect(
      try problems { try fixture.directory.create(specification) }.map(\.pointer) == ["/topics"])
    let device = try make()
    try fixture.directory.uninstall(device.id)
    let change = try DeviceChange(json: ["topics": ["a"]])
    #expect(
      try problems { try fixture.directory.change(device.id, change) }.map(\.pointer)
        == ["/topics"])
  }

  @Test func `a device takes 2000 topics at most`() throws {
    let names = (0...TopicDirectory.topicLimit).map { "t\($0)" }
    #expect(try problems { _ = try make(topics: names) }.map(\.pointer) == ["/topics"])
    #expect(try make(topics: names.dropLast()).topics.count == 2000)
  }

  @Test func `a full workspace refuses the topics of a new device, and makes none`() throws {
    fixture.workspaces.default.topics = TopicDirectory(totalLimit: 1)
    #expect(try problems { _ = try make(topics: ["a", "b"]) }.map(\.pointer) == ["/topics"])
    #expect(fixture.directory.count() == 0)
    let device = try make(topics: ["a"])
    let change = try DeviceChange(json: ["topics": ["b"]])
    try fixture.directory.change(device.id, change)
    #expect(device.topics == ["b"])
  }

  @Test func `uninstalled, removed and expired devices leave their topics and groups`() throws {
    let devices = try (0..<4).map { _ in try make(topics: ["a"]) }
    let tokens = devices.compactMap { $0.fcmToken?.token }
    let group = try fixture.workspaces.default.groups.create(
      key: [9], name: "anna", project: "demo-project", members: tokens)
    try fixture.directory.uninstall(devices[0].id)
    try fixture.directory.remove(devices[1].id)
    try fixture.directory.expireToken(devices[2].id)
    #expect(fixture.workspaces.default.topics.count == 1)
    #expect(group.members == [tokens[3]])
    send(1, to: "a")
    #expect(reached == [devices[3].id])
  }

  // MARK: Delivery

  @Test func `a message reaches the subscribers of each platform in the order they were made`()
    throws
  {
    let devices = try [Platform.web, .android, .ios].map { try make($0, topics: ["a"]) }
    _ = try make(topics: ["b"])
    _ = try make()
    send(1, to: "a")
    #expect(reached == devices.map(\.id))
    for device in devices {
      let inbox = try written { device.write(into: &$0) }["inbox"]
      #expect(inbox?[0]?["data"]?["for"] == .string("\(device.platform)"))
    }
  }

  @Test func `a condition chooses by all memberships`() throws {
    let devices = try [["a"], ["b"], ["a", "b"], ["a", "c"], []].map { try make(topics: $0) }
    send(1, to: .topics(TopicSelection(topics: ["a", "b", "c"]) { $0 & 1 != 0 && $0 & 6 != 0 }))
    #expect(reached == [devices[2].id, devices[3].id])
  }

  /// Google on `!('TopicA' in topics)`: those that are not subscribed to any topic receive it too.
  @Test func `a negated condition reaches the project's devices without a topic`() throws {
    let first = try make()
    _ = try make(topics: ["a"])
    let other = try make(topics: ["b"])
    _ = try make(project: "other")
    let plain = DeviceSpecification(platform: .ios)
    try fixture.directory.create(plain)
    send(1, to: .topics(TopicSelection(topics: ["a"]) { $0 == 0 }))
    #expect(reached == [first.id, other.id])
  }

  @Test func `projects do not reach each other's subscribers, whatever they call themselves`()
    throws
  {
    let own = try make(topics: ["a"])
    let numbered = try make(topics: ["a"], project: "123")
    _ = try make(topics: ["a"], project: "other")
    send(1, to: "a")
    #expect(reached == [own.id, numbered.id])
  }

  @Test func `a restricted package name keeps other Android apps out`() throws {
    let own = try make(topics: ["a"])
    _ = try make(topics: ["a"], app: "com.other")
    let web = try make(.web, topics: ["a"], app: "com.other")
    send(1, to: .topics(TopicSelection(topic: "a")), package: DeviceSpecification.defaultApp)
    #expect(reached == [own.id, web.id])
  }

  @Test func `offline subscribers keep the message by FCM's rules`() throws {
    let device = try make(topics: ["a"], online: false)
    for envelope in 1...2 as ClosedRange<EnvelopeNumber> { send(envelope, to: "a") }
    send(3, to: .topics(TopicSelection(topic: "a")), timeToLive: .zero)
    #expect(fixture.steps == ["1 stored", "1 collapsed", "2 stored", "3 dropped"])
    try fixture.directory.change(device.id, DeviceChange(json: ["online": true]))
    #expect(fixture.steps.last == "2 delivered")
  }

  @Test func `a notification to many collapses on each device by its package name`() throws {
    let devices = try ["com.a", "com.b"].map {
      try make(topics: ["a"], online: false, app: $0)
    }
    for envelope in 1...2 as ClosedRange<EnvelopeNumber> {
      var outcome = PushOutcome(service: .fcm, workspace: .default, status: 200)
      let message = FanOut.Message(payload: Array("{}".utf8), collapsesByApp: true)
      outcome.fanOut = FanOut(
        recipients: .topics(TopicSelection(topic: "a")), projects: ["demo-project"],
        android: message, web: message
      ) { _ throws(APNsRelay.Refusal) in message }
      fixture.directory.deliver(outcome, envelope: envelope)
    }
    #expect(devices.map(\.storedCount) == [1, 1])
    #expect(fixture.steps.suffix(2) == ["1 collapsed", "2 stored"])
  }

  @Test func `a group's message reaches its living members, once each`() throws {
    let devices = try (0..<3).map { _ in try make() }
    let stranger = Array(("stranger0000:APA91b" + String(repeating: "x", count: 134)).utf8)
    send(
      1, to: .group(devices.dropFirst().compactMap { $0.fcmToken?.token } + [stranger]))
    #expect(reached == [devices[1].id, devices[2].id])
  }

  @Test func `tokens that nobody registered are subscribers without delivery`() throws {
    try fixture.workspaces.default.topics.subscribe(
      [1, 2, 3], to: "a", in: "demo-project", at: fixture.time.now)
    send(1, to: "a")
    #expect(reached.isEmpty)
    #expect(fixture.workspaces.default.topics.subscriberCount(of: "a", in: "demo-project") == 1)
  }

  // MARK: Tokens that were used before a device had them

  private let unknown = Array(("early0000000:APA91b" + String(repeating: "x", count: 134)).utf8)

  private func register(project: String?) throws -> Device {
    var specification = DeviceSpecification(
      platform: .android, fcmToken: String(decoding: unknown, as: UTF8.self), project: project)
    specification.settings.online = .requested(true)
    return try fixture.directory.create(specification)
  }

  @Test func `a token leaves other projects' topics and groups when a device registers it`() throws
  {
    let workspace = fixture.workspaces.default
    try workspace.topics.subscribe(unknown, to: "a", in: "other", at: fixture.time.now)
    let group = try workspace.groups.create(
      key: [9], name: "anna", project: "other", members: [unknown, [1]])
    let device = try register(project: nil)
    #expect(workspace.topics.count == 0)
    #expect(group.members == [[1]])
    send(1, to: .topics(TopicSelection(topic: "a")), projects: ["other"])
    #expect(reached.isEmpty && device.topics.isEmpty)
  }

  @Test func `a token keeps its own project's topics and groups when a device registers it`() throws
  {
    let workspace = fixture.workspaces.default
    try workspace.topics.subscribe(unknown, to: "a", in: "demo-project", at: fixture.time.now)
    let group = try workspace.groups.create(
      key: [9], name: "anna", project: "demo-project", members: [unknown])
    let device = try register(project: nil)
    #expect(device.topics == ["a"])
    #expect(group.members == [unknown])
    send(1, to: "a")
    #expect(reached == [device.id])
  }

  @Test func `a project is the same by its ID and by its number, and a token is there once`() throws
  {
    try fixture.credentials.add(
      ServiceAccount(
        projectID: "demo-project", projectNumber: "123", clientEmail: "a@b", privateKeyID: "k",
        publicKey: []))
    let workspace = fixture.workspaces.default
    for topic in ["a", "b"] {
      try workspace.topics.subscribe(unknown, to: topic, in: "demo-project", at: fixture.time.now)
    }
    let group = try workspace.groups.create(
      key: [9], name: "anna", project: "demo-project", members: [unknown])
    let device = try register(project: "123")
    #expect(group.members == [unknown])
    try workspace.topics.subscribe(unknown, to: "a", in: "123", at: fixture.time.now)
    try workspace.topics.subscribe(unknown, to: "c", in: "123", at: fixture.time.now)
    #expect(device.topics == ["a", "b", "c"])
    send(1, to: "a")
    send(2, to: .topics(TopicSelection(topics: ["b", "c"]) { $0 == 3 }))
    #expect(fixture.steps == ["1 delivered", "2 delivered"])
  }

  @Test func `a device that any project may send to keeps the topics of all, once each`() throws {
    fixture.directory.defaultProject = nil
    for (project, topic) in [("one", "a"), ("one", "b"), ("two", "a")] {
      try fixture.workspaces.default.topics.subscribe(
        unknown, to: topic, in: project, at: fixture.time.now)
    }
    let device = try register(project: nil)
    #expect(device.topics == ["a", "b"])
    #expect(fixture.workspaces.default.topics.count == 2)
    send(1, to: .topics(TopicSelection(topic: "a")), projects: ["two", "2"])
    #expect(reached == [device.id])
  }

  @Test func `a message to members reaches no device of another project, and none twice`() throws {
    let own = try make()
    let other = try make(project: "other")
    let tokens = [own, other, own].compactMap { $0.fcmToken?.token }
    send(1, to: .group(tokens))
    #expect(reached == [own.id])
  }
}
