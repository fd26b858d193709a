/// What reaches a device.
extension TestDevice {
  /// The next push that reaches the device: the oldest that no expectation has returned yet, else the
  /// first that comes in time.
  ///
  /// A push has reached a device that is online before its sender is answered.
  /// - Parameter limit: How long to wait, in real time.
  /// - Returns: The push, with what the device has done with it.
  /// - Throws: `TestGatewayError.noPush`, which says what was sent and what became of it, `.stopped`, or
  ///   `CancellationError` when the task is cancelled.
  @discardableResult
  public func expectPush(within limit: Duration = .seconds(2)) async throws -> ReceivedPush {
    switch await inboxes.next(of: id, within: limit) {
    case .push(let push): return push
    case .timedOut: throw TestGatewayError.noPush(await missingPush(limit))
    case .stopped: throw TestGatewayError.stopped
    case .cancelled: throw CancellationError()
    }
  }

  /// Checks that no push reaches the device beside those that expectations have returned.
  /// - Parameter duration: How long to wait, in real time. Zero is enough once the senders were answered,
  ///   because a push has reached its device by then.
  /// - Throws: `TestGatewayError.unexpectedPush`, `.stopped`, or `CancellationError`.
  public func expectNoPush(for duration: Duration = .zero) async throws {
    switch await inboxes.next(of: id, within: duration) {
    case .push(let push): throw TestGatewayError.unexpectedPush(push)
    case .timedOut: return
    case .stopped: throw TestGatewayError.stopped
    case .cancelled: throw CancellationError()
    }
  }

  /// Everything that reached the device, oldest first, as it is now: after a tap it is `tapped`.
  public func inbox() async throws(TestGatewayError) -> [ReceivedPush] {
    try await backend.inbox(of: id)
  }

  private func missingPush(_ limit: Duration) async -> MissingPush {
    let envelopes = await backend.envelopes(limit: 100).filter {
      !($0.service == .oauth && $0.isAccepted)
    }
    return MissingPush(
      device: "\(platform.rawValue) device '\(name)' (\(id))", deviceID: id, limit: limit,
      envelopes: envelopes.suffix(MissingPush.envelopeLimit))
  }
}
