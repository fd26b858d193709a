internal import PushpitJSON

/// One envelope whole, as people read it: its line, then the request, the payload and what became of it.
enum EnvelopeSheet {
  /// The lines of an envelope in the console's shape.
  static func lines(_ envelope: JSONValue) -> [String] {
    var lines = EnvelopeLine.lines(envelope) + [""]
    lines.append("\(text(envelope["method"])) \(text(envelope["path"]))")
    for header in envelope["headers"]?.arrayValue ?? [] {
      lines.append("\(text(header[0])): \(text(header[1]))")
    }
    if let payload = envelope["payload"], payload != .null {
      lines += ["", Terminal.printable(payload)]
    } else if let body = envelope["body"]?.stringValue, !body.isEmpty {
      lines += ["", "body, which is no JSON, in base64: \(body)"]
    }
    lines += facts(envelope)
    for warning in envelope["warnings"]?.arrayValue ?? [] {
      lines.append(
        "\(text(warning["code"]))  \(text(warning["pointer"]))  \(text(warning["text"]))")
    }
    for delivery in envelope["deliveries"]?.arrayValue ?? [] {
      for step in delivery["history"]?.arrayValue ?? [] {
        lines.append(
          "\(text(step["at"]))  \(text(delivery["device"]))  \(text(step["state"]))  "
            + text(step["cause"]))
      }
    }
    return lines
  }

  /// What is told in one line each, where it is known.
  private static func facts(_ envelope: JSONValue) -> [String] {
    let credential = envelope["credential"]
    let owner = ["kind", "keyID", "teamID", "serviceAccount", "subject"].compactMap {
      credential?[$0]?.stringValue
    }
    let place = [
      "connection \(text(envelope["connection"]))", "stream \(text(envelope["stream"]))",
      text(envelope["protocol"]), text(envelope["tls"]),
    ]
    let rows = [
      ("credential", owner.joined(separator: "  ")), ("token", text(envelope["token"])),
      ("app", text(envelope["app"])), ("message", text(envelope["messageName"])),
      ("apns-id", text(envelope["apnsID"])), ("received", text(envelope["receivedAt"])),
      ("answered", text(envelope["answeredAt"])),
      ("came by", place.filter { !$0.isEmpty }.joined(separator: ", ")),
    ]
    return [""]
      + rows.filter { !$0.1.isEmpty }.map { name, value in
        name + String(repeating: " ", count: 12 - name.count) + Terminal.printable(value)
      }
  }

  private static func text(_ value: JSONValue?) -> String {
    if let number = value?.intValue { return String(number) }
    return Terminal.printable(value?.stringValue ?? "")
  }
}
