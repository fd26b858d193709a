internal import PushpitJSON
internal import PushpitModel

// Apple: Generating a remote notification.
extension APNsLint {
  /// Keys in the wrong place, misspelt, or with a value of the wrong type.
  mutating func checkKeys() {
    for (key, _) in root.members where isMisplaced(key) {
      let code = key == "alert" ? Code.alertOutsideAPS : .keyOutsideAPS
      warn(
        code, at: JSONValue.pointer("", to: key), expected: "/aps/" + key, found: "/" + key,
        "\(key) has an effect inside aps only")
    }
    guard let value = root["aps"] else { return }
    guard case .object = value else {
      let found = APNsPayloadKeys.Types(of: value).text
      return warn(
        .keyType, at: "/aps", expected: "object", found: found,
        "aps is of type \(found), not object")
    }
    check(aps, at: "/aps", by: APNsPayloadKeys.aps)
    if let alert = aps["alert"]?.objectValue {
      check(alert, at: "/aps/alert", by: APNsPayloadKeys.alert)
    }
  }

  private func isMisplaced(_ key: String) -> Bool {
    APNsPayloadKeys.unmistakable.contains(key) && aps[key] == nil
  }

  private mutating func check(
    _ object: JSONObject, at pointer: String, by table: APNsPayloadKeys.Table
  ) {
    for (key, value) in object.members {
      let place = JSONValue.pointer(pointer, to: key)
      guard let types = table.types[key] else {
        // `events` of a Live Activity without `event` has a warning of its own.
        if key == "events", isOfLiveActivity, !has("event") { continue }
        if let near = table.nearest(to: key) {
          warn(
            .keyMisspelt, at: place, expected: near, found: key,
            "\(pointer.dropFirst()) knows no \(key), which is ignored; \(near) is meant, it seems")
        }
        continue
      }
      let found = APNsPayloadKeys.Types(of: value)
      if found == .null { continue }
      if !types.contains(found) {
        warn(
          .keyType, at: place, expected: types.text, found: found.text,
          "\(key) is of type \(found.text), and is read as \(types.text)")
      }
    }
  }
}
