internal import PushpitHTTPTypes

/// A path and method of the console and what answers it.
struct ConsoleRoute: Sendable {
  /// Answers a call, or says why not.
  typealias Handler = @Sendable (Console) -> (ConsoleCall) throws(ConsoleProblem) -> ConsoleAnswer

  let method: String
  /// Path segments; `*` stands for any one.
  let pattern: [Substring]
  let handler: Handler

  init(_ method: String, _ path: String, _ handler: @escaping Handler) {
    self.method = method
    pattern = path.split(separator: "/")
    self.handler = handler
  }

  /// The segments that stand for `*`; nil when the path is another one.
  func parameters(of path: [String]) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var parameters: [String] = []
    for (segment, wanted) in zip(path, pattern) {
      if wanted == "*" {
        parameters.append(segment)
      } else if segment != wanted {
        return nil
      }
    }
    return parameters
  }
}

/// Paths of Apple's and Google's that a sender may ask the wrong port for.
enum VendorPath {
  private static let beginnings = [
    "/3/device", "/4/broadcasts", "/1/apps", "/v1/projects", "/v1/messages", "/token",
    "/oauth2/", "/o/oauth2/", "/fcm/", "/iid/", "/batch", "/revoke", "/tokeninfo",
    "/computeMetadata/", "/compute-metadata/",
  ]

  /// Whether an authority names a host of Apple's or Google's.
  static func isOfVendor(authority: [UInt8]) -> Bool {
    let host = String(decoding: authority, as: UTF8.self).lowercased().prefix { $0 != ":" }
    return [".push.apple.com", ".googleapis.com", ".google.com"].contains(where: host.hasSuffix)
  }

  /// Whether this is a path that a vendor answers.
  static func contains(_ path: ArraySlice<UInt8>) -> Bool {
    let path = String(decoding: path, as: UTF8.self)
    return beginnings.contains { beginning in
      guard path.hasPrefix(beginning) else { return false }
      let rest = path.dropFirst(beginning.count)
      return beginning.hasSuffix("/") || rest.isEmpty || rest.hasPrefix("/")
    }
  }
}
