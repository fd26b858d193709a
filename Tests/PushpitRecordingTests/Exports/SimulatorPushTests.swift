import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct SimulatorPushTests {
  @Test func `simctl gets the payload as it was sent`() {
    #expect(
      ExportFixture.text(.simctl) { $0.body = Array(#"{"aps":{"alert":"it's"}}"#.utf8) } == #"""
        printf %s '{"aps":{"alert":"it'\''s"}}' |
          xcrun simctl push booted com.example.app -

        """#)
  }

  @Test func `the file names its app, and no other`() throws {
    let gateway = try #require(ExportFixture.gateway)
    let envelope = try #require(
      ExportFixture.envelope {
        $0.body = Array(#"{"aps":{},"n":1.50,"Simulator Target Bundle":"com.evil"}"#.utf8)
      })
    let export = try ExportForm.apns.export(envelope, at: gateway)
    #expect(export.fileName == "e1.apns")
    #expect(
      String(decoding: export.bytes, as: UTF8.self) == """
        {
          "Simulator Target Bundle": "com.example.app",
          "aps": {},
          "n": 1.50
        }

        """)
  }

  @Test(arguments: ["voip", "liveactivity", "location", "mdm"])
  func `other push types are refused`(type: String) {
    let text = ExportFixture.text(.simctl) { $0.outcome.pushType = Array(type.utf8)[...] }
    #expect(
      text == "refused: Simulators take alerts and background pushes; envelope e1 has the "
        + "push type \(type).")
    #expect(ExportFixture.text(.apns) { $0.outcome.pushType = Array(type.utf8)[...] } == text)
  }

  @Test func `what a simulator does not take is refused`() {
    let limit = SimulatorPush.payloadLimit
    let frame = #"{"aps":{"alert":""}}"#
    func payload(_ count: Int) -> [UInt8] {
      let alert = String(repeating: "a", count: count - frame.utf8.count)
      return Array(#"{"aps":{"alert":"\#(alert)"}}"#.utf8)
    }
    #expect(ExportFixture.text(.simctl) { $0.body = payload(limit) }.hasPrefix("printf"))
    #expect(
      ExportFixture.text(.simctl) { $0.body = payload(limit + 1) }.contains("up to 4096 bytes"))
    for body in ["[]", "{}", #"{"aps":1}"#, "no JSON"] {
      #expect(
        ExportFixture.text(.simctl) { $0.body = Array(body.utf8) }.contains("the member aps"))
    }
    #expect(ExportFixture.text(.apns) { $0.becomeMessage("{}") }.contains("no push of APNs"))
    #expect(ExportFixture.text(.apns) { $0.outcome.token = [] }.contains("no push of APNs"))
  }
}
