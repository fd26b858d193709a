/// The forms in which another tool takes a recorded envelope.
package enum ExportForm: String, Sendable, CaseIterable {
  /// A command line that sends the request again, to the gateway.
  case curl
  /// A command line that shows the push in an iOS simulator.
  case simctl
  /// A command line that hands the message to an app in an Android emulator.
  case adb
  /// A file that an iOS simulator takes.
  case apns
  /// The request as text.
  case http

  /// The envelope in this form, or why it has none.
  package func export(
    _ envelope: Envelope, at gateway: GatewayAddress
  ) throws(ExportRefusal) -> Export {
    if envelope.isBodyCut {
      throw ExportRefusal("Of envelope \(envelope.id) only the beginning of the body was kept.")
    }
    return switch self {
    case .curl: Export(text: try CurlExport(envelope, at: gateway).commandLine)
    case .simctl: Export(text: try SimulatorPush(envelope).commandLine)
    case .adb: Export(text: try EmulatorBroadcast(envelope).commandLine)
    case .apns:
      Export(
        contentType: "application/json", fileName: envelope.id + ".apns",
        bytes: try SimulatorPush(envelope).file)
    case .http:
      // RFC 9112 section 10.1.
      Export(contentType: "message/http", bytes: try HTTPExport(envelope).message)
    }
  }
}

/// An envelope in the form of another tool.
package struct Export: Sendable, Equatable {
  package let contentType: String
  /// The name of the file that it should be saved as; nil for what is read or pasted.
  package let fileName: String?
  package let bytes: [UInt8]

  init(contentType: String, fileName: String? = nil, bytes: [UInt8]) {
    self.contentType = contentType
    self.fileName = fileName
    self.bytes = bytes
  }

  init(text: String) {
    self.init(contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
  }
}

/// Why an envelope cannot be had in a form.
package struct ExportRefusal: Error, Equatable {
  /// A sentence.
  package let text: String

  init(_ text: String) {
    self.text = text
  }
}
