import Testing

/// A way to fail one check of a broadcast or of a request about channels, and the part of the request
/// that it spoils.
struct BroadcastFault<Check: Sendable>: CustomTestStringConvertible, Sendable {
  let check: Check
  let answer: String
  let code: String
  let part: String
  let change: @Sendable (inout TestPush) -> Void

  var testDescription: String { "\(check) \(code)" }
}
