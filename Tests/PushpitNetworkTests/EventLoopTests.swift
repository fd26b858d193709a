import PushpitNetwork
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
  @Test func `actors on the loop run on its thread and nowhere else`() async throws {
    let probe = try LoopProbe()
    let loop = probe.loop
    #expect(await probe.run { $0.loop.isCurrent })
    #expect(!loop.isCurrent)
    #expect(await probe.run { _ in loop.isIsolatingCurrentContext() == true })
  }

  @Test func `a thousand jobs from many tasks all run`() async throws {
    let probe = try LoopProbe()
    await withTaskGroup { group in
      for _ in 0..<1000 { group.addTask { await probe.note("job") } }
    }
    #expect(await probe.notes.count == 1000)
  }

  @Test func `a one-shot timer fires once, after its delay, and is gone`() async throws {
    let probe = try LoopProbe()
    let start = await probe.run { probe in
      _ = Timer(probe.loop, after: .milliseconds(20)) { probe.assumeIsolated { $0.note("fired") } }
      return probe.loop.now
    }
    #expect(await probe.notes(1) == ["fired"])
    #expect(await probe.run { $0.loop.now } >= start + 20)
    await probe.loop.stop()
    #expect(await probe.run { $0.loop.handleCount } == 0)
    #expect(await probe.notes.count == 1)
  }

  @Test func `a repeating timer fires until it is cancelled`() async throws {
    let probe = try LoopProbe()
    await probe.run { probe in
      var count = 0
      var timer: Timer?
      timer = Timer(probe.loop, after: .zero, repeating: .milliseconds(1)) {
        count += 1
        probe.assumeIsolated { $0.note("\(count)") }
        if count == 3 { timer?.cancel() }
      }
    }
    #expect(await probe.notes(3) == ["1", "2", "3"])
    #expect(await probe.run { $0.loop.now } > 0)
    await probe.loop.stop()
    #expect(await probe.notes == ["1", "2", "3"])
  }

  @Test func `a cancelled timer does not fire`() async throws {
    let probe = try LoopProbe()
    await probe.run { probe in
      Timer(probe.loop, after: .zero) { probe.assumeIsolated { $0.note("cancelled") } }.cancel()
      _ = Timer(probe.loop, after: .milliseconds(5)) { probe.assumeIsolated { $0.note("later") } }
    }
    #expect(await probe.notes(1) == ["later"])
  }

  @Test func `stop closes what is open, and jobs still run afterwards`() async throws {
    let probe = try LoopProbe()
    await probe.run { probe in
      _ = Timer(probe.loop, after: .seconds(3600)) {}
      _ = Timer(probe.loop, after: .seconds(1), repeating: .seconds(1)) {}
    }
    #expect(await probe.run { $0.loop.handleCount } == 2)
    await probe.loop.stop()
    await probe.loop.stop()
    #expect(await probe.run { $0.loop.handleCount } == 0)
  }

  @Test func `the loop's thread ends with its last reference`() async throws {
    weak var loop: EventLoop?
    do {
      let probe = try LoopProbe()
      loop = probe.loop
      await probe.note("alive")
    }
    // Letting go of the last reference is what ends the thread: see `EventLoop.deinit`.
    while loop != nil { await Task.yield() }
  }

  @Test func `a signal reaches its watcher`() async throws {
    let probe = try LoopProbe()
    try await probe.run { probe in
      _ = try SignalWatcher(probe.loop, .terminate) { probe.assumeIsolated { $0.note("SIGTERM") } }
    }
    kill(getpid(), SIGTERM)
    #expect(await probe.notes(1) == ["SIGTERM"])
    await probe.loop.stop()
  }

  @Test func `real time is the time of day`() async throws {
    let loop = try EventLoop()
    let seconds = Int64(time(nil))
    #expect(abs(loop.realTime / 1000 - seconds) <= 1)
  }
}
