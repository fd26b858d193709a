internal import PushpitCrypto

extension ServerConnection {
  /// Whether the transport should go on reading from its socket.
  package var wantsInput: Bool { ending == nil && session?.wantsInput ?? true }

  /// Whether the peer is not worth a last word: what is queued for it is dropped.
  package var endsAtOnce: Bool { ending?.cause == .slowReader }

  /// Takes what is ready to be sent, about `room` bytes at most, in one call of `send` or none.
  ///
  /// The bytes are valid during the call only. Requests that become complete meanwhile, because a
  /// pipelined one was answered, are served too. With the last bytes `ending` is set.
  /// - Returns: Whether there may be more now, for which there was no room.
  package func takeOutput(room: Int, _ send: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
    guard !isServing else { return false }
    isServing = true
    defer { isServing = false }
    resources.output.removeAll(keepingCapacity: true)
    let hasMore = ending == nil && gather(room: room)
    if let tls {
      if tls.pendingCiphertextCount > 0 {
        tls.withPendingCiphertext(send)
        tls.clearPendingCiphertext()
      }
    } else if !resources.output.isEmpty {
      // Taken out for the call, so that nothing `send` brings about can touch it.
      let output = resources.output
      resources.output = []
      output.withUnsafeBufferPointer(send)
      resources.output = output
    }
    return hasMore
  }

  /// Moves session output to `resources.output` or through TLS until there is none or no room.
  private func gather(room: Int) -> Bool {
    if let session {
      var isDone = false
      while !isDone, ending == nil {
        if gatheredCount >= room { return true }
        // Answers that go out make room in HTTP/1.1's pipeline for requests that wait.
        let hasMore = gatherOnce(session)
        isDone = !serveRequests() && !hasMore
      }
    }
    endIfDone()
    return false
  }

  private var gatheredCount: Int { tls?.pendingCiphertextCount ?? resources.output.count }

  /// Returns whether there may be more: a session that is not drained fills the limit.
  private func gatherOnce(_ session: any HTTPSession) -> Bool {
    let start = resources.output.count
    session.takeOutput(into: &resources.output, limit: ServerResources.gatherLimit)
    let count = resources.output.count - start
    guard count > 0, let tls else { return count >= ServerResources.gatherLimit }
    if !resources.output.withUnsafeBufferPointer({ tls.write($0) }) { end(.peerClosed) }
    resources.output.removeAll(keepingCapacity: true)
    return count >= ServerResources.gatherLimit
  }
}
