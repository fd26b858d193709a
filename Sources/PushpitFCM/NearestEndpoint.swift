import PushpitHTTPTypes
import PushpitModel

/// The endpoint that a request without one was probably meant for.
enum NearestEndpoint {
  /// Longer paths are compared by their beginning.
  static let comparedCount = 100

  /// Where messages are sent.
  static let send = "/v1/projects/{project}/messages:send"

  /// Where tokens are subscribed to topics.
  static let subscriptions = "/v1/projects/{project}/registrations/{token}/topicSubscriptions"

  private static let templates =
    [
      send, subscriptions, "/iid/v1:batchAdd", "/iid/v1:batchRemove", "/iid/v1:batchImport",
      "/iid/v1/{token}/rel/topics/{topic}", "/fcm/notification",
    ] + GoogleEndpoint.tokenPaths
    + ["/3/device/{device token}"]

  /// Path and distance of the template that takes the fewest edits; 0 when only the method differs.
  ///
  /// Those with the same first segment come before others; a path like none is taken for a send.
  static func find(path: some Sequence<UInt8>) -> (path: String, distance: Int) {
    let path = generalized(PercentCoding.decode(path))
    var best = (path: templates[0], distance: Int.max)
    let related = templates.filter { firstSegment($0.utf8).elementsEqual(firstSegment(path)) }
    for template in related.isEmpty ? templates : related {
      let distance = editDistance(path, template.utf8)
      if distance < best.distance { best = (template, distance) }
    }
    let isUnlike = related.isEmpty && best.distance * 2 > path.count
    return isUnlike ? (send, best.distance) : best
  }

  private static func firstSegment<Path: Collection<UInt8>>(_ path: Path) -> Path.SubSequence {
    path.dropFirst().prefix { $0 != 0x2F }
  }

  /// The path with `{project}` in place of a project's name.
  private static func generalized(_ path: [UInt8]) -> [UInt8] {
    var parts = path.split(separator: 0x2F, omittingEmptySubsequences: false).map(Array.init)
    if parts.count > 3, parts[2].elementsEqual("projects".utf8) {
      parts[3] = Array("{project}".utf8)
      if parts.count > 5, parts[4].elementsEqual("registrations".utf8) {
        parts[5] = Array("{token}".utf8)
      }
    }
    return Array(parts.joined(separator: [0x2F]).prefix(comparedCount))
  }
}
