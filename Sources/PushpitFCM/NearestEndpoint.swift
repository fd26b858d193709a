import PushpitHTTPTypes
import PushpitModel

/// An endpoint that a request without one may have been meant for.
struct NearestEndpoint: Equatable {
  /// The methods that it takes, the commonest first.
  let methods: [String]
  let path: String
  /// How many edits lead from the request's path to this one; 0 when only the method or the host differs.
  private(set) var distance = 0

  private init(_ path: String, _ methods: String...) {
    self.path = path
    self.methods = methods
  }

  /// The method to use where a request had this one.
  func method(insteadOf method: String) -> String {
    methods.contains(method) ? method : methods[0]
  }

  /// Longer paths are compared by their beginning.
  static let comparedCount = 100

  /// Where messages are sent.
  static let send = "/v1/projects/{project}/messages:send"

  /// Where tokens are subscribed to topics.
  static let subscriptions = "/v1/projects/{project}/registrations/{token}/topicSubscriptions"

  private static let sending = NearestEndpoint(send, "POST")

  private static let all =
    [
      sending, NearestEndpoint(subscriptions, "POST", "GET"),
      NearestEndpoint(subscriptions + "/{topic}", "GET", "DELETE", "PATCH"),
      NearestEndpoint("/iid/v1:batchAdd", "POST"), NearestEndpoint("/iid/v1:batchRemove", "POST"),
      NearestEndpoint("/iid/v1:batchImport", "POST"),
      NearestEndpoint("/iid/v1/{token}/rel/topics/{topic}", "POST"),
      NearestEndpoint("/iid/info/{token}", "GET"),
      NearestEndpoint("/fcm/notification", "POST", "GET"),
    ] + GoogleEndpoint.tokenPaths.map { NearestEndpoint($0, "POST") }
    + [NearestEndpoint("/3/device/{device token}", "POST")]

  /// The endpoint whose path takes the fewest edits.
  ///
  /// Those with the same first segment come before others; a path like none is taken for a send. Where
  /// it does not take the method, one that does and has one segment more or less is meant.
  static func find(method: String, path: some Sequence<UInt8>) -> NearestEndpoint {
    let path = generalized(PercentCoding.decode(path))
    var best = sending
    best.distance = Int.max
    let related = all.filter { firstSegment($0.path.utf8).elementsEqual(firstSegment(path)) }
    for var endpoint in related.isEmpty ? all : related {
      endpoint.distance = editDistance(path, endpoint.path.utf8)
      if endpoint.distance < best.distance { best = endpoint }
    }
    if related.isEmpty, best.distance * 2 > path.count {
      var endpoint = sending
      endpoint.distance = best.distance
      return endpoint
    }
    guard !best.methods.contains(method) else { return best }
    let neighbour = related.first { $0.methods.contains(method) && $0.isNeighbour(of: best) }
    guard var neighbour else { return best }
    neighbour.distance = editDistance(path, neighbour.path.utf8)
    return neighbour
  }

  /// Whether one path is the other one and one segment more.
  private func isNeighbour(of other: NearestEndpoint) -> Bool {
    let (shorter, longer) = path.count < other.path.count ? (path, other.path) : (other.path, path)
    guard longer.hasPrefix(shorter + "/") else { return false }
    return !longer.dropFirst(shorter.count + 1).contains("/")
  }

  private static func firstSegment<Path: Collection<UInt8>>(_ path: Path) -> Path.SubSequence {
    path.dropFirst().prefix { $0 != 0x2F }
  }

  /// The path with `{project}` in place of a project's name, and so on; an empty name stays.
  private static func generalized(_ path: [UInt8]) -> [UInt8] {
    var parts = path.split(separator: 0x2F, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    func name(_ index: Int, _ placeholder: String, after key: String) {
      guard parts.indices.contains(index), parts[index - 1] == key, !parts[index].isEmpty
      else { return }
      parts[index] = placeholder
    }
    switch parts.dropFirst().first {
    case "iid":
      name(3, "{token}", after: "v1")
      name(3, "{token}", after: "info")
      name(6, "{topic}", after: "topics")
    default:
      name(3, "{project}", after: "projects")
      name(5, "{token}", after: "registrations")
      name(7, "{topic}", after: "topicSubscriptions")
    }
    return Array(parts.joined(separator: "/").utf8.prefix(comparedCount))
  }
}
