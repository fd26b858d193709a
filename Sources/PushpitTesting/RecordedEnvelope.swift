internal import PushpitCrypto
internal import PushpitJSON
internal import PushpitModel
internal import PushpitRecording

/// A request that the gateway answered, and what became of it.
public struct RecordedEnvelope: Sendable, Equatable {
  /// Why a request was refused, for people.
  public struct Explanation: Sendable, Equatable {
    /// A name of the mistake, as `fcm-token-at-apns`.
    public let code: String
    /// What is wrong.
    public let what: String
    /// What to do.
    public let fix: String
  }

  /// What the vendor accepts and a phone may drop, or a payload contract forbids.
  public struct Warning: Sendable, Equatable {
    /// A name of the mistake, as `contract-wrong-deep-link`.
    public let code: String
    /// JSON Pointer into the payload.
    public let pointer: String
    /// What is wrong.
    public let text: String
  }

  /// One step of the push's life on a device.
  public struct Step: Sendable, Equatable {
    /// `TestDevice.id` of the device.
    public let device: String
    /// What became of the push.
    public let state: PushState
    /// Why, in a few words.
    public let cause: String
  }

  /// Its identifier, as `e42`.
  public let id: String
  /// The service that it was for.
  public let service: PushService
  /// The method, and the path as it was sent.
  public let request: String
  /// The body as it was sent.
  public let body: String
  /// The device token or registration token that it was sent to.
  public let token: String?
  /// The topic at APNs.
  public let topic: String?
  /// Whether the vendor accepts it.
  public let isAccepted: Bool
  /// The HTTP status of the answer.
  public let status: Int
  /// The reason at APNs, as `BadDeviceToken`, or the error code at FCM, as `UNREGISTERED`.
  public let reason: String?
  /// Why it was refused, and what to do; also at some that were accepted.
  public let diagnosis: Explanation?
  /// What is wrong with the payload all the same.
  public let warnings: [Warning]
  /// What became of it on devices, device by device in order.
  public let deliveries: [Step]

  init(_ envelope: Envelope) {
    id = envelope.id
    service = PushService(envelope.service)
    request = "\(envelope.method) \(envelope.path)"
    body = String(decoding: envelope.body, as: UTF8.self)
    token = envelope.token
    topic = envelope.topic
    isAccepted = envelope.isAccepted
    status = envelope.status
    reason = envelope.reason ?? envelope.googleStatus
    diagnosis = envelope.diagnosis.map {
      Explanation(code: $0.code.rawValue, what: $0.what, fix: $0.fix)
    }
    warnings = envelope.warnings.map { Warning(code: $0.code, pointer: $0.pointer, text: $0.text) }
    deliveries = envelope.deliveries.flatMap { delivery in
      delivery.history.map {
        Step(device: delivery.device.rawValue, state: PushState($0.state), cause: $0.cause)
      }
    }
  }

  /// Reads an envelope as the console shows it.
  init(_ json: JSONValue) {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    id = text("id") ?? ""
    service = text("service").flatMap { PushService(rawValue: $0) } ?? .unknown
    request = "\(text("method") ?? "") \(text("path") ?? "")"
    body = String(decoding: text("body").flatMap { Base64.decode($0.utf8) } ?? [], as: UTF8.self)
    token = text("token")
    topic = text("topic")
    isAccepted = text("outcome") == "accepted"
    status = json["status"]?.intValue ?? 0
    reason = text("reason") ?? text("googleStatus")
    diagnosis = json["diagnosis"]?.objectValue.map { object in
      Explanation(
        code: object["code"]?.stringValue ?? "", what: object["what"]?.stringValue ?? "",
        fix: object["fix"]?.stringValue ?? "")
    }
    warnings = (json["warnings"]?.arrayValue ?? []).map { warning in
      Warning(
        code: warning["code"]?.stringValue ?? "", pointer: warning["pointer"]?.stringValue ?? "",
        text: warning["text"]?.stringValue ?? "")
    }
    deliveries = (json["deliveries"]?.arrayValue ?? []).flatMap { delivery in
      (delivery["history"]?.arrayValue ?? []).compactMap { step in
        guard let state = step["state"]?.stringValue.flatMap({ PushState(rawValue: $0) }) else {
          return nil
        }
        return Step(
          device: delivery["device"]?.stringValue ?? "", state: state,
          cause: step["cause"]?.stringValue ?? "")
      }
    }
  }
}
