import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitDevices

/// Reading and writing of `callbacks`.
@Suite struct DeviceCallbacksTests {
  private func problems(_ callbacks: JSONValue) -> [String] {
    do {
      _ = try DeviceSpecification(
        json: ["platform": "ios", "callbacks": callbacks])
      return []
    } catch {
      guard case .invalid(let problems) = error else { return ["\(error)"] }
      return problems.map(\.pointer)
    }
  }

  private func problems(register members: KeyValuePairs<String, JSONValue>) -> [String] {
    var object = JSONObject(members)
    if object["url"] == nil { object["url"] = "http://h/" }
    return problems(["register": .object(object)])
  }

  @Test func `callbacks are written as they were given, with what was left out`() throws {
    let fixture = Fixture()
    let device = try fixture.directory.create(
      DeviceSpecification(
        json: json(
          #"""
          {"platform":"ios","callbacks":{"registers":"apns",
            "opened":{"url":"https://h/{deliveryID}","method":"PUT","headers":{"X-A":"{app}"},
              "body":{"t":["{token}",1]}},
            "clear":{"url":"http://127.0.0.1"}}}
          """#)))
    #expect(
      try written { device.write(into: &$0) }["callbacks"]
        == json(
          #"""
          {"registers":"apns",
            "clear":{"method":"POST","url":"http://127.0.0.1","headers":{},"body":null},
            "opened":{"method":"PUT","url":"https://h/{deliveryID}","headers":{"x-a":"{app}"},
              "body":{"t":["{token}",1]}}}
          """#))
  }

  @Test func `problems have their places`() {
    #expect(problems([]) == ["/callbacks"])
    #expect(problems(["registers": "voip"]) == ["/callbacks/registers"])
    #expect(problems(["tap": ["url": "http://h/"]]) == ["/callbacks/tap"])
    #expect(problems(["register": "http://h/"]) == ["/callbacks/register"])
    #expect(problems(["register": [:]]) == ["/callbacks/register/url"])
    #expect(problems(["clear": ["url": 1]]) == ["/callbacks/clear/url"])
    #expect(problems(["opened": ["url": "h"]]) == ["/callbacks/opened/url"])
    #expect(problems(register: ["method": "HEAD"]) == ["/callbacks/register/method"])
    #expect(problems(register: ["form": 1]) == ["/callbacks/register/form"])
    #expect(problems(register: ["headers": ["a"]]) == ["/callbacks/register/headers"])
    #expect(problems(register: ["body": "{tokenn}"]) == ["/callbacks/register/body"])
    #expect(problems(register: ["body": ["a": ["{x}"]]]) == ["/callbacks/register/body"])
  }

  @Test(arguments: [
    ("x", "a\r\nb: c", "x"), ("x", "a\nb", "x"), ("x", "a\0", "x"), ("x", "{tok}", "x"),
    ("a b", "x", "a b"), ("", "x", ""), ("a/b", "a", "a~1b"), ("Host", "x", "Host"),
    ("content-length", "1", "content-length"), ("Transfer-Encoding", "x", "Transfer-Encoding"),
  ])
  func `a header that would break the request is refused`(
    name: String, value: String, pointer: String
  ) {
    let headers = JSONObject([name: .string(value)])
    #expect(
      problems(register: ["headers": .object(headers)])
        == ["/callbacks/register/headers/" + pointer])
  }

  @Test func `names, values, headers and bodies have limits`() {
    func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }
    func headers(_ count: Int) -> JSONValue {
      var object = JSONObject()
      for number in 0..<count { object["x-\(number)"] = "a" }
      return .object(object)
    }
    let place = "/callbacks/register/"
    #expect(problems(register: ["headers": headers(CallbackHeader.countLimit)]) == [])
    #expect(
      problems(register: ["headers": headers(CallbackHeader.countLimit + 1)]) == [place + "headers"]
    )
    #expect(problems(register: ["headers": ["x": text(CallbackHeader.valueLimit)]]) == [])
    #expect(
      problems(register: ["headers": ["x": text(CallbackHeader.valueLimit + 1)]])
        == [place + "headers/x"])
    let name = String(repeating: "n", count: CallbackHeader.nameLimit + 1)
    #expect(
      problems(register: ["headers": .object(JSONObject([name: "a"]))])
        == [place + "headers/" + name])
    #expect(problems(register: ["body": text(CallbackBody.lengthLimit)]) == [])
    #expect(problems(register: ["body": text(CallbackBody.lengthLimit + 1)]) == [place + "body"])
    #expect(problems(register: ["body": [text(CallbackBody.lengthLimit)]]) == [place + "body"])
  }

  @Test func `an app cannot report a token that it does not have`() {
    func pointers(_ text: String) -> [String] {
      do {
        _ = try DeviceSpecification(json: json(text))
        return []
      } catch DeviceError.invalid(let problems) {
        return problems.map(\.pointer)
      } catch {
        return ["\(error)"]
      }
    }
    let fcm = #""callbacks":{"registers":"fcm"}"#
    #expect(pointers(#"{"platform":"ios",\#(fcm)}"#) == ["/callbacks/registers"])
    #expect(pointers(#"{"platform":"ios","firebase":true,\#(fcm)}"#) == [])
    #expect(pointers(#"{"platform":"android",\#(fcm)}"#) == [])
    #expect(
      pointers(#"{"platform":"android","callbacks":{"registers":"apns"}}"#)
        == ["/callbacks/registers"])
  }

  @Test func `the callbacks of a configuration file are read by the same rules`() throws {
    let callbacks = try DeviceCallbacks(json: ["clear": ["url": "http://h/"]])
    #expect(callbacks.template(.clear) != nil && callbacks.template(.register) == nil)
    #expect(throws: DeviceError.self) { try DeviceCallbacks(json: ["clear": ["url": "h"]]) }
  }
}
