/// The moments that a connection's time limits count from, in the loop's milliseconds.
struct ConnectionTiming {
  /// When bytes last came or left.
  var lastActivity: Int64
  /// When the request head that is being read began, or the connection where HTTP has not begun.
  var headStart: Int64?
  /// Since when output waits and none has left.
  var stalledSince: Int64?
  /// What was left when the output was last looked at.
  var lastBufferedCount = 0

  init(now: Int64) {
    lastActivity = now
    headStart = now
  }
}

extension ServerConnection {
  /// Notes when a request head begins and ends.
  ///
  /// Until HTTP's first bytes the time counts on from the peer's connecting.
  func noteHead(now: Int64, hasNewRequests: Bool) {
    guard let session, hasHTTPBytes else { return }
    if !session.isReadingHead {
      timing.headStart = nil
    } else if hasNewRequests || timing.headStart == nil {
      timing.headStart = now
    }
  }

  /// Ends the connection when one of its times is up; called about once a second.
  package func checkTime(now: Int64) {
    guard ending == nil else { return }
    let limits = options
    let ownLimit = handler.silenceLimit(of: self)
    if let start = timing.headStart, now - start >= limits.headTimeout.milliseconds {
      return close(.headTimeout)
    }
    if let session, session.openStreamCount > 0 {
      if session.isAwaitingBody {
        let silence = now - timing.lastActivity
        if let ownLimit, ownLimit <= limits.bodyTimeout {
          if silence >= ownLimit.milliseconds { return endSilent() }
        } else if silence >= limits.bodyTimeout.milliseconds {
          return close(.bodyTimeout)
        }
      } else {
        // An open stream is activity, so the idle time begins when the last has ended.
        timing.lastActivity = now
      }
    }
    if let start = timing.stalledSince {
      if now - start >= limits.writeTimeout.milliseconds { return end(.slowReader) }
    } else if timing.headStart == nil,
      now - timing.lastActivity >= (ownLimit ?? limits.idleTimeout).milliseconds
    {
      close(.idle)
    }
  }

  /// Looks at what waits for the peer: `queued` bytes in the transport and all in the session.
  ///
  /// A whole answer may be larger than the limit. What may not be is an answer that grows on while
  /// its reader takes nothing: that is a stream of events without end.
  package func checkOutput(queued: Int, hasMoved: Bool, now: Int64) {
    guard ending == nil else { return }
    let count = queued + (session?.bufferedByteCount ?? 0)
    if count == 0 || hasMoved {
      timing.stalledSince = count == 0 ? nil : now
      if count == 0 { timing.lastBufferedCount = 0 }
    } else if timing.stalledSince == nil {
      timing.stalledSince = now
    }
    let hasGrown = count > timing.lastBufferedCount
    let wasOver = timing.lastBufferedCount > options.outputLimit
    timing.lastBufferedCount = count
    if hasGrown, wasOver, !hasMoved { end(.slowReader) }
  }
}

extension Duration {
  /// Whole milliseconds, for comparison with the loop's clock.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
