#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Looks an environment variable up; nil when it is not set.
typealias EnvironmentLookup = @Sendable (String) -> String?

/// The environment of this process.
let processEnvironment: EnvironmentLookup = { name in
  getenv(name).map { String(cString: $0) }
}
