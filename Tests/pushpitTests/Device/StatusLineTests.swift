import PushpitJSON
import Testing

@testable import pushpit

@Suite struct StatusLineTests {
  private func phone(_ more: KeyValuePairs<String, JSONValue> = [:]) throws -> Phone {
    var device = JSONObject([
      "id": "d1", "name": "Ann", "platform": "ios", "online": true, "foreground": false,
      "installed": true, "powerSaving": false,
    ])
    for (key, value) in more { device[key] = value }
    return try #require(Phone(.object(device)))
  }

  private func line(_ phone: Phone, of count: Int = 1, pushes: Int = 0, columns: Int = 100)
    -> String
  {
    StatusLine(phone: phone, deviceCount: count, pushCount: pushes).line(columns: columns)
  }

  @Test func `it says which device it is and how it is`() throws {
    #expect(line(try phone()) == " Ann · online · app closed · 0 pushes · ? help ")
    #expect(
      line(try phone(["online": false, "foreground": true, "powerSaving": true]), pushes: 1)
        == " Ann · offline · app open · 1 push · power saving · ? help ")
    #expect(
      line(try phone(["installed": false, "foreground": ["conversation": "c\u{1B}1"]]), of: 3)
        == " Ann · 1 of 3 devices · uninstalled · in c 1 · 0 pushes · ? help ")
    #expect(line(try phone(["platform": "android", "dozing": true])).contains(" · dozing · "))
  }

  @Test func `it fits`() throws {
    let phone = try phone(["name": "你好你好你好"])
    for columns in 0...60 {
      #expect(TextColumns.width(of: line(phone, columns: columns)) <= columns)
    }
  }

  @Test func `a phone is followed by the console's answers`() throws {
    var phone = try phone(["foreground": ["conversation": "c1"]])
    #expect(
      phone.conversation == "c1" && phone.label == "Ann (d1)" && phone.powerKey == "powerSaving")
    phone.update(["online": false, "foreground": true, "installed": false, "powerSaving": true])
    #expect(phone.conversation?.isEmpty == true)
    #expect(!phone.isOnline && !phone.isInstalled && phone.savesPower)
    #expect(Phone(["name": "no id"]) == nil)
    let browser = try #require(Phone(["id": "d2", "platform": "web"]))
    #expect(browser.label == "d2" && browser.powerKey == nil)
  }
}
