package import PushpitNetwork

/// Serves HTTP/1.1 and HTTP/2, over TLS and in clear text, on one event loop.
///
/// All calls are for the loop's thread. Its sockets stay open until `stop` or the loop's own.
package final class HTTPServer {
  /// What a server has done so far.
  package struct Statistics: Sendable, Equatable {
    /// Connections that are open now.
    package var openCount = 0
    /// Connections that were taken, ever.
    package var acceptedCount = 0
    /// Connections that were closed at once because the listener had its limit.
    package var refusedCount = 0
  }

  /// What it has done so far.
  package private(set) var statistics = Statistics()

  let resources = ServerResources()
  private let loop: EventLoop
  private var listeners: [Listener] = []
  private var transports: [ConnectionTransport] = []
  private var scheduled: [ConnectionTransport] = []
  private var turnHook: TurnHook?
  private var tick: Timer?
  private var graceTimer: Timer?
  private var completions: [() -> Void] = []
  private var isStopping = false
  private var connectionIDBase: UInt64 = 0

  package init(loop: EventLoop) {
    self.loop = loop
  }

  /// Serves a port on one or more addresses, which are literals, and returns the port's number.
  ///
  /// With port 0 all addresses get the same free one. An address of a family that the machine lacks
  /// is left out, unless it is the only one. The handler is retained.
  package func listen(
    hosts: [String], port: Int, options: ListenerOptions, handler: any ServerHandler
  ) throws(NetworkError) -> Int {
    try open(hosts: hosts, port: port, options: options, handler: handler).port
  }

  /// Serves a port as `listen` does, and says which listener it is.
  ///
  /// A listener that was closed, and has no connections left, gives its place to the next.
  package func open(
    hosts: [String], port: Int, options: ListenerOptions, handler: any ServerHandler
  ) throws(NetworkError) -> (listener: Int, port: Int) {
    let index = listeners.firstIndex { $0.isClosed && $0.openCount == 0 } ?? listeners.count
    let listener = Listener(index: index, options: options, handler: handler, server: self)
    let port = try listener.open(loop, hosts: hosts, port: port)
    if index == listeners.count {
      listeners.append(listener)
    } else {
      listeners[index] = listener
    }
    if turnHook == nil {
      turnHook = TurnHook(loop) { [weak self] in self?.flushScheduled() }
    }
    startTick()
    return (index, port)
  }

  /// Closes the port of a listener; its connections take no new requests, and end when those in
  /// progress are answered.
  package func close(listener index: Int) {
    let listener = listeners[index]
    listener.close()
    for transport in transports where transport.listener === listener {
      transport.connection.shutDownGracefully()
    }
  }

  /// How many ports were opened by `listen`.
  package var listenerCount: Int { listeners.count }

  /// The addresses of a listener that are open; listeners count from 0 in the order of `listen`.
  package func openHosts(ofListener index: Int) -> [String] {
    listeners[index].hosts
  }

  /// Stops: no new connections, no new requests, those in progress have `grace` to be answered.
  ///
  /// `completion` is called on the loop when the last connection has closed.
  package func stop(grace: Duration = .seconds(5), completion: @escaping () -> Void) {
    completions.append(completion)
    guard !isStopping else {
      if transports.isEmpty { completeStop() }
      return
    }
    isStopping = true
    for listener in listeners { listener.close() }
    for transport in transports {
      transport.connection.shutDownGracefully()
    }
    graceTimer = Timer(loop, after: grace) { [weak self] in
      for transport in self?.transports ?? [] { transport.closeAtOnce() }
    }
    // Without connections there is nobody whose closing would complete the stop.
    if transports.isEmpty { completeStop() }
  }

  /// Stops as above and returns when the last connection has closed.
  package func stop(grace: Duration = .seconds(5)) async {
    await withCheckedContinuation { continuation in
      stop(grace: grace) { continuation.resume() }
    }
  }

  private func completeStop() {
    tick?.cancel()
    graceTimer?.cancel()
    turnHook?.close()
    let completions = completions
    self.completions = []
    for completion in completions { completion() }
  }

  // MARK: Connections

  /// Counts a new peer and says whether it may stay.
  func admit(_ listener: Listener) -> Bool {
    guard !isStopping, listener.openCount < listener.options.connectionLimit else {
      statistics.refusedCount += 1
      return false
    }
    return true
  }

  func nextConnectionID() -> UInt64 {
    statistics.acceptedCount += 1
    return connectionIDBase + UInt64(statistics.acceptedCount)
  }

  /// Lets the numbers of connections go on after this one, which an earlier process gave.
  package func continueConnectionIDs(after last: UInt64) {
    connectionIDBase = last
  }

  func add(_ transport: ConnectionTransport) {
    transport.index = transports.count
    transports.append(transport)
    transport.listener.openCount += 1
    statistics.openCount += 1
  }

  func remove(_ transport: ConnectionTransport) {
    let last = transports.removeLast()
    if last !== transport {
      transports[transport.index] = last
      last.index = transport.index
    }
    transport.listener.openCount -= 1
    statistics.openCount -= 1
    if isStopping, transports.isEmpty { completeStop() }
  }

  /// Remembers a connection with output that came outside its own turn.
  func schedule(_ transport: ConnectionTransport) {
    guard !transport.isScheduled else { return }
    transport.isScheduled = true
    scheduled.append(transport)
  }

  /// Serves these before the loop waits: a hundred events for one peer make one write.
  private func flushScheduled() {
    // Serving one may schedule others, which then are of this turn too.
    while !scheduled.isEmpty {
      let transports = scheduled
      scheduled = []
      for transport in transports {
        transport.isScheduled = false
        transport.flush()
      }
    }
  }

  // MARK: Time limits

  /// One timer for all connections: a timer each would cost memory and work at every request.
  private func startTick() {
    let shortest =
      listeners.flatMap {
        [
          $0.options.headTimeout, $0.options.bodyTimeout, $0.options.idleTimeout,
          $0.options.writeTimeout,
        ]
      }.min() ?? .seconds(1)
    let interval = min(.seconds(1), max(.milliseconds(10), shortest / 4))
    tick?.cancel()
    tick = Timer(loop, after: interval, repeating: interval) { [weak self] in
      guard let self else { return }
      let now = loop.now
      for transport in transports { transport.checkTime(now: now) }
    }
  }
}
