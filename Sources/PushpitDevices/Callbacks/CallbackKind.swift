/// What an app tells its provider, as the SDK of a provider does.
package enum CallbackKind: String, Sendable, CaseIterable {
  /// Its token: at each launch, and when it has a new one.
  case register
  /// That its user logged out.
  case clear
  /// That a push was opened.
  case opened
}

/// How a callback is sent.
package enum CallbackMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// Why a callback cannot be as it was written, or as its values would make it.
struct CallbackFault: Error, Equatable {
  let detail: String

  init(_ detail: String) {
    self.detail = detail
  }
}
