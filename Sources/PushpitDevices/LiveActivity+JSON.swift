package import PushpitJSON
internal import PushpitModel

extension LiveActivity {
  /// Writes the activity as the console and the device's streams show it.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(into: &writer)
    writer.endObject()
  }

  /// Writes the activity's members into the innermost object.
  func writeMembers(into writer: inout JSONWriter) {
    writer.member("id", id)
    writer.memberOrNull("token", token?.text)
    writer.memberOrNull("channel", channel)
    writer.member("state", state.rawValue)
    writer.memberOrNull("attributesType", attributesType)
    writer.member("attributes", attributes)
    writer.member("contentState", contentState)
    writer.member("startedAt", startedAt.rfc3339)
    writer.member("updatedAt", updatedAt.rfc3339)
    writer.memberOrNull("staleAt", staleAt?.rfc3339)
    writer.memberOrNull("endedAt", endedAt?.rfc3339)
    writer.memberOrNull("dismissesAt", dismissesAt?.rfc3339)
  }
}
