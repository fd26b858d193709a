internal import CUV

/// Why a socket operation failed, with what was being done.
package struct NetworkError: Error, Equatable, CustomStringConvertible {
  /// What was tried, to follow `cannot`: `listen on 127.0.0.1:2197`.
  package let operation: String
  /// The name of the error number: `EADDRINUSE`.
  package let name: String
  /// The error as the system words it: `address already in use`.
  package let reason: String

  init(_ operation: String, status: Int32) {
    self.operation = operation
    name = String(cString: uv_err_name(status))
    reason = String(cString: uv_strerror(status))
  }

  /// One line: `cannot listen on 127.0.0.1:2197: address already in use`.
  package var description: String { "cannot \(operation): \(reason)" }

  /// Whether another socket has the address.
  package var isAddressInUse: Bool { name == "EADDRINUSE" }

  /// Whether this machine has no such address, as `::1` without IPv6.
  package var isAddressMissing: Bool { name == "EADDRNOTAVAIL" || name == "EAFNOSUPPORT" }
}
