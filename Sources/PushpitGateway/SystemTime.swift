package import PushpitModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Real time from the system's clock.
package final class SystemTime: TimeSource {
  package init() {}

  package var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
