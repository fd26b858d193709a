import PushpitDevices
import PushpitJSON
import PushpitModel
import Testing

@Suite struct ContractDirectoryTests {
  private let acme = #"""
    {"name":"acme","forms":{"ios":"string"},"required":["id"],"optional":["note"],"allowsOthers":false,
     "messageID":"id","conversation":"thread","deepLink":{"key":"link","pattern":"acme://t/{thread}"},
     "beacon":"sale","kinds":[{"name":"sale","markedBy":"sale","type":"ad","required":["sale"]}]}
    """#

  @Test func `respondo is built in, in the form that the configuration has`() throws {
    let directory = ContractDirectory()
    let respondo = try #require(directory.contract(named: "respondo"))
    #expect(directory.all.count == 1)
    let again = try ConfiguredContract(json: respondo.json)
    #expect(again == ConfiguredContract.respondo)
  }

  @Test func `a configured contract is read, written and followed`() throws {
    let directory = try ContractDirectory(configured: [json(acme)])
    let contract = try #require(directory.contract(named: "acme"))
    #expect(try ConfiguredContract(json: contract.json) == contract as? ConfiguredContract)
    let payload = ClientPayload(
      userInfo: try json(
        #"{"aps":{"alert":"A"},"acme":"{\"id\":\"1\",\"thread\":\"t\",\"link\":\"acme://t/t\"}"}"#))
    let found = try #require(
      directory.reading(of: payload, preferring: nil, ContractSettings()))
    #expect(found.contract.name == "acme")
    #expect(found.reading.messageID == "1")
    #expect(found.reading.opensConversation == "t")
    // Neither thread nor link is among the keys that it names.
    #expect(found.reading.breaches.map(\.found) == ["thread", "link"])
  }

  @Test func `a configured contract may take the place of the built-in one`() throws {
    let directory = try ContractDirectory(configured: [
      json(#"{"name":"respondo","rootKey":"other"}"#)
    ])
    #expect(directory.all.map(\.rootKey) == ["other"])
  }

  @Test func `a device's own contract is asked first`() throws {
    let directory = try ContractDirectory(configured: [
      json(#"{"name":"a","rootKey":"k"}"#), json(#"{"name":"b","rootKey":"k"}"#),
    ])
    let payload = ClientPayload(userInfo: ["k": [:]])
    for (name, expected) in [(nil, "a"), ("b", "b"), ("respondo", "a")] as [(String?, String)] {
      let found = directory.reading(of: payload, preferring: name, ContractSettings())
      #expect(found?.contract.name == expected)
    }
  }

  @Test(arguments: [
    ("[]", ["/contracts/0", "/contracts/0/name"]), ("{}", ["/contracts/0/name"]),
    (#"{"name":"x","extra":1}"#, ["/contracts/0/extra"]),
    (
      #"{"name":"x","forms":{"ios":"xml","tv":"object"}}"#,
      ["/contracts/0/forms/tv", "/contracts/0/forms/ios"]
    ),
    (
      #"{"name":"x","deepLink":{"pattern":"{"}}"#,
      ["/contracts/0/deepLink/key", "/contracts/0/deepLink/pattern"]
    ),
    (#"{"name":"x","kinds":{}}"#, ["/contracts/0/kinds"]),
    (#"{"name":"x","kinds":[{"name":"y"}]}"#, ["/contracts/0/kinds/0/markedBy"]),
    (#"{"name":"x","required":[1]}"#, ["/contracts/0/required"]),
    (#"{"name":"x","rootKey":""}"#, ["/contracts/0/rootKey"]),
    (#"{"name":"x","rootKey":"a/b"}"#, ["/contracts/0/rootKey"]),
    (#"{"name":"a\"b"}"#, ["/contracts/0/rootKey"]),
  ])
  func `what is wrong with a configured contract is told with its place`(
    _ text: String, _ pointers: [String]
  ) throws {
    let error = try #require(throws: DeviceError.self) {
      try ContractDirectory(configured: [json(text)])
    }
    guard case .invalid(let problems) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(problems.map(\.pointer) == pointers)
  }

  @Test func `names are used once, and there is a limit`() throws {
    let one = try json(#"{"name":"x"}"#)
    #expect(throws: DeviceError.self) { try ContractDirectory(configured: [one, one]) }
    let many = try (0...ContractDirectory.limit).map { try json(#"{"name":"c\#($0)"}"#) }
    #expect(throws: DeviceError.self) { try ContractDirectory(configured: many) }
    #expect(try ContractDirectory(configured: Array(many.dropLast())).all.count == 101)
  }

  @Test(arguments: [
    (#"{"aps":{},"respondo":{}}"#, true), (#"{"aps":{},"\u0072espondo":{}}"#, true),
    (#"{"aps":{},"r\u0065spondo":{}}"#, true), (#"{"aps":{"alert":"respondo"}}"#, true),
    (#"{"a":"\"respondo"}"#, true), (#"{"aps":{"alert":"a respondo"}}"#, false),
    (#"{"k":"\u0440\u00e9\ud83d\ude00"}"#, false), (#"{"k":"\nu"}"#, false),
    (#"{"respondo2":1}"#, false), ("", false), ("\"", false), ("\\", false), (#"\u00"#, false),
  ])
  func `a key is seen wherever it could be`(_ payload: String, _ expected: Bool) {
    for before in 0..<16 {
      let bytes = [UInt8](repeating: 0x20, count: before) + Array(payload.utf8)
      #expect(ContractDirectory().isMentioned(in: bytes) == expected)
    }
  }

  @Test func `any escape may hide a key beyond ASCII`() throws {
    let directory = try ContractDirectory(configured: [json(#"{"name":"x","rootKey":"ключ"}"#)])
    #expect(directory.isMentioned(in: Array(#"{"\u043a":1}"#.utf8)))
    #expect(directory.isMentioned(in: Array(#"{"ключ":1}"#.utf8)))
    #expect(!directory.isMentioned(in: Array(#"{"кл":1}"#.utf8)))
  }

  @Test func `a device follows a contract that there is`() throws {
    let fixture = Fixture()
    let device = try fixture.directory.create(
      DeviceSpecification(platform: .ios, contract: "respondo"))
    #expect(device.contract == "respondo")
    #expect(
      throws: DeviceError.invalid([
        InputProblem("/contract", "there is no such contract; known are respondo")
      ])
    ) { try fixture.directory.create(DeviceSpecification(platform: .ios, contract: "acme")) }
    #expect(fixture.directory.count() == 1)
  }
}
