internal import COpenSSL

/// A failed operation of OpenSSL, with the reasons that it gave.
package struct CryptoError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done.
  package let operation: String
  /// Why it failed, the oldest reason first; may be empty.
  package let reasons: [String]

  /// Names reasons of our own.
  package init(operation: String, reasons: [String]) {
    self.operation = operation
    self.reasons = reasons
  }

  /// Takes the reasons from this thread's error queue, which is empty afterwards.
  init(draining operation: String) {
    self.init(operation: operation, reasons: OpenSSLErrors.drain().map(\.text))
  }

  package var description: String {
    reasons.isEmpty ? operation : "\(operation): \(reasons.joined(separator: "; "))"
  }
}

/// This thread's queue of OpenSSL errors.
enum OpenSSLErrors {
  /// One queued error.
  struct Entry {
    let isOfTLS: Bool
    /// The library's number for the reason.
    let reason: Int32
    let text: String
  }

  /// Forgets what earlier calls left, before a call whose failure is reported.
  ///
  /// Mostly there is nothing, and to look costs a tenth of clearing all places of the queue (measured).
  static func clear() {
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }

  /// Empties the queue, the oldest error first.
  static func drain() -> [Entry] {
    var entries: [Entry] = []
    while case let code = ERR_get_error(), code != 0 {
      entries.append(
        Entry(
          isOfTLS: ERR_GET_LIB(code) == ERR_LIB_SSL, reason: ERR_GET_REASON(code),
          text: text(of: code)))
    }
    return entries
  }

  private static func text(of code: UInt) -> String {
    if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
    return String(unsafeUninitializedCapacity: 256) { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        ERR_error_string_n(code, $0.baseAddress, $0.count)
      }
      return buffer.firstIndex(of: 0) ?? buffer.count
    }
  }
}
