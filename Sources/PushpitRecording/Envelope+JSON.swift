internal import PushpitHTTPTypes
package import PushpitJSON
internal import PushpitModel

extension Envelope {
  /// Writes the envelope as the console shows it.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("workspace", workspace.rawValue)
    writer.member("sequence", number)
    writer.member("receivedAt", receivedAt.rfc3339)
    writer.member("answeredAt", answeredAt.rfc3339)
    writeRequest(into: &writer)
    writePush(into: &writer)
    writeVerdict(into: &writer)
    writer.member("connection", connection)
    writer.member("stream", stream)
    writer.member("protocol", httpProtocol.rawValue)
    writer.memberOrNull("tls", tls)
    writer.key("fault")
    writer.null()
    writer.key("deliveries")
    writer.beginArray()
    for delivery in deliveries { delivery.json(into: &writer) }
    writer.endArray()
    writer.endObject()
  }

  private func writeRequest(into writer: inout JSONWriter) {
    writer.member("service", service.rawValue)
    writer.member("method", method)
    writer.member("path", path)
    writer.memberOrNull("host", host)
    writer.memberOrNull("environment", environment?.rawValue)
    writer.key("headers")
    writer.beginArray()
    for header in headers {
      writer.beginArray()
      writer.string(header.name)
      writer.string(header.value)
      writer.endArray()
    }
    writer.endArray()
    writer.member("payload", payload ?? .null)
    writer.member("body", Base64Text.encode(body))
    writer.member("isBodyCut", isBodyCut)
  }

  private func writePush(into writer: inout JSONWriter) {
    writer.memberOrNull("token", token)
    writer.memberOrNull("tokenKind", tokenKind?.rawValue)
    writer.memberOrNull("topic", topic)
    writer.memberOrNull("pushType", pushType)
    writer.memberOrNull("priority", priority)
    writer.memberOrNull("expiration", expiration)
    writer.memberOrNull("collapse", collapse)
    writer.memberOrNull("project", project)
    writer.memberOrNull("app", app)
    writer.memberOrNull("messageName", messageName)
    writer.memberOrNull("apnsID", apnsID)
    writer.memberOrNull("channel", channel)
    writer.key("credential")
    guard let credential else { return writer.null() }
    writer.beginObject()
    writer.member("kind", credential.kind.rawValue)
    writer.memberOrNull("keyID", credential.keyID)
    writer.memberOrNull("teamID", credential.teamID)
    writer.memberOrNull("serviceAccount", credential.serviceAccount)
    writer.memberOrNull("subject", credential.subject)
    // Header and claims are JSON text; as JSON they can be read and pointed into.
    let decoded = credential.decoded.map { text in
      (try? JSONReader.parse(text.utf8)) ?? .string(text)
    }
    writer.member("decoded", decoded ?? .null)
    writer.member("sha256", credential.fingerprint)
    writer.endObject()
  }

  private func writeVerdict(into writer: inout JSONWriter) {
    writer.member("outcome", isAccepted ? "accepted" : "rejected")
    writer.member("status", status)
    writer.memberOrNull("reason", reason)
    writer.memberOrNull("googleStatus", googleStatus)
    writer.memberOrNull("diagnosis", diagnosis)
    writer.key("warnings")
    writer.beginArray()
    for warning in warnings {
      writer.beginObject()
      writer.member("code", warning.code)
      writer.member("pointer", warning.pointer)
      writer.member("expected", warning.expected)
      writer.member("found", warning.found)
      writer.member("text", warning.text)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension Envelope.Delivery {
  /// Writes the delivery: its newest step, and all of them as `history`.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("device", device.rawValue)
    if let newest = history.last { newest.writeMembers(into: &writer) }
    writer.key("history")
    writer.beginArray()
    for step in history {
      writer.beginObject()
      step.writeMembers(into: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}

extension DeliveryStep {
  /// Writes state, time and cause as members of the innermost object.
  package func writeMembers(into writer: inout JSONWriter) {
    writer.member("state", state.rawValue)
    writer.member("at", at.rfc3339)
    writer.member("cause", cause)
  }
}
