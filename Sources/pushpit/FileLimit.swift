#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// How many files and sockets the process may have open.
enum FileLimit {
  /// Raises the limit as far as it goes: libuv closes connections beyond it without a word.
  static func raise() {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(resource, &limit)
  }
}
