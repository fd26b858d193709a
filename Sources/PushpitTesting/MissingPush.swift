/// What an expectation of a push saw instead of it.
public struct MissingPush: Sendable, Equatable {
  /// At most this many envelopes are told of, the newest.
  public static let envelopeLimit = 5

  /// The device that should have got a push: its platform, name and ID.
  public let device: String
  /// `TestDevice.id` of it.
  public let deviceID: String
  /// How long it was waited for.
  public let limit: Duration
  /// The newest requests of the gateway, oldest first, without those for access tokens that were good.
  public let envelopes: [RecordedEnvelope]
}

extension MissingPush: CustomStringConvertible {
  /// What was sent and what became of it, a line for each envelope.
  public var description: String {
    let start = "no push reached \(device) within \(limit)"
    if envelopes.isEmpty { return "\(start): nothing was sent to the gateway" }
    return (["\(start); what the gateway got:"] + envelopes.map(line)).joined(separator: "\n")
  }

  private func line(_ envelope: RecordedEnvelope) -> String {
    let start = "- \(envelope.id) to \(envelope.service.rawValue) was "
    guard envelope.isAccepted else {
      let reason = envelope.reason.map { " \($0)" } ?? ""
      return "\(start)refused: \(envelope.status)\(reason)" + explanation(envelope)
    }
    let own = envelope.deliveries.last { $0.device == deviceID }
    if let own {
      // The cause of a later step says nothing of the arrival.
      let hasArrived = envelope.deliveries.contains {
        $0.device == deviceID && $0.state == .delivered
      }
      return "\(start)accepted; here \(own.state): \(own.cause)"
        + (hasArrived ? " (an earlier expectation returned it)" : "")
    }
    if let other = envelope.deliveries.last {
      return "\(start)accepted, for another device, \(other.device): \(other.state)"
    }
    return "\(start)accepted, for a token of no device" + explanation(envelope)
  }

  private func explanation(_ envelope: RecordedEnvelope) -> String {
    envelope.diagnosis.map { "\n  \($0.code): \($0.what)\n  fix: \($0.fix)" } ?? ""
  }
}
