package import PushpitHTTPTypes
package import PushpitJSON

/// Why a call of the console was not done.
package enum ConsoleCallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The URL is none of the form `http://HOST:PORT`.
  case badURL(String)
  /// Nobody answered; the text says where and why.
  case unreachable(String)
  /// The console refused the call, in its own words; `problem` is the answer's body.
  case refused(status: Int, text: String, problem: JSONValue)
  /// The answer is not what the console answers.
  case unreadable(String)

  /// A refusal as the console explains it.
  package static func refused(_ response: Response) -> ConsoleCallError {
    let (status, problem) = (response.head.status, ConsoleConnection.value(of: response))
    return .refused(
      status: status, text: explanation(status, problem), problem: problem ?? .null)
  }

  package var description: String {
    switch self {
    case .badURL(let text), .unreachable(let text), .unreadable(let text): text
    case .refused(_, let text, _): text
    }
  }

  /// A problem of RFC 9457 as one line.
  package static func explanation(_ status: Int, _ problem: JSONValue?) -> String {
    let title = problem?["title"]?.stringValue
    let detail = problem?["detail"]?.stringValue
    let errors = (problem?["errors"]?.arrayValue ?? []).compactMap { error in
      error["detail"]?.stringValue.map { detail in
        // Of a parameter the detail itself says the name.
        let pointer = error["pointer"]?.stringValue ?? ""
        return pointer.isEmpty ? detail : "\(pointer) \(detail)"
      }
    }
    // The detail sums the errors up.
    let words = [title].compactMap { $0 } + (errors.isEmpty ? [detail].compactMap { $0 } : errors)
    return "the console answered \(status)"
      + (words.isEmpty ? "" : ": " + words.joined(separator: "; "))
  }
}
