import PushpitHTTPTypes
import PushpitModel
import Testing

@testable import PushpitRecording

@Suite struct EmulatorBroadcastTests {
  private func text(_ message: String, _ change: (inout DraftParts) -> Void = { _ in }) -> String {
    ExportFixture.text(.adb) {
      $0.becomeMessage(message)
      change(&$0)
    }
  }

  private let start = """
    adb root && adb wait-for-device && adb shell \
    'am broadcast -a com.google.android.c2dm.intent.RECEIVE \
    -n com.example.app/com.google.firebase.iid.FirebaseInstanceIdReceiver
    """

  @Test func `data are extras`() {
    #expect(
      text(#"{"token":"t","data":{"a":"1","b":"x y"}}"#)
        == start + #" --es a 1 --es b '\''x y'\'''"# + "\n")
  }

  @Test func `data of the platform take the place of the common ones`() {
    #expect(
      text(#"{"data":{"a":"1"},"android":{"data":{"b":"2"},"collapseKey":"k"}}"#)
        == start + " --es b 2 --es collapse_key k'\n")
    #expect(text(#"{"data":{"a":"1"},"android":{"data":{}}}"#) == start + " --es a 1'\n")
  }

  @Test func `a notification has the SDK's names`() {
    #expect(
      text(
        #"""
        {"topic":"news","notification":{"title":"T","body":"B"},
         "android":{"notification":{"body":"own","channel_id":"c","sound":"s"}}}
        """#)
        == start + " --es gcm.n.e 1 --es gcm.n.title T --es gcm.n.body own --es gcm.n.sound2 s"
        + " --es gcm.n.android_channel_id c --es from /topics/news'\n")
  }

  @Test func `a package that the message names comes before the token's`() {
    let text = text(#"{"android":{"restrictedPackageName":"com.other"}}"#) { $0.outcome.app = nil }
    #expect(text.contains("-n com.other/"))
  }

  @Test func `what is for no Android app is refused`() {
    #expect(ExportFixture.text(.adb).contains("no message of FCM"))
    #expect(text("[]").contains("no message of FCM"))
    #expect(text("{}") { $0.outcome.app = nil }.contains("not known for which app"))
    #expect(text("{}") { $0.outcome.status = 404 }.contains("FCM refused"))
    #expect(text(#"{"data":{"a":"b\u0000c"}}"#).contains("zero byte"))
  }
}
