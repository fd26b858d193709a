package import PushpitJSON
package import PushpitModel

/// Which envelopes are wanted; every condition that is set must hold.
package struct EnvelopeQuery: Sendable, Equatable {
  /// The most envelopes that one page has.
  package static let limits = 1...1000

  /// Nil for all workspaces.
  package var workspace: WorkspaceID?
  package var service: PushService?
  package var isAccepted: Bool?
  /// Of the answer.
  package var status: Int?
  package var reason: String?
  package var diagnosis: String?
  /// The code of one of its warnings.
  package var warning: String?
  /// Device tokens compare without case, as they do at Apple.
  package var token: String?
  package var topic: String?
  package var pushType: String?
  package var project: String?
  package var app: String?
  package var device: DeviceID?
  package var collapse: String?
  package var connection: UInt64?
  /// Received at this moment or later.
  package var since: Timestamp?
  /// Received before this moment.
  package var until: Timestamp?
  /// Words that all occur in the path, the headers, the body, the reason or the diagnosis.
  package var words = ""
  package var limit = 100
  /// Only envelopes before this one: where the page before ended.
  package var before: EnvelopeNumber?

  package init(workspace: WorkspaceID? = .default) {
    self.workspace = workspace
  }
}

/// One page of envelopes, newest first.
package struct EnvelopePage: Sendable {
  package let items: [Envelope]
  /// Where the next page begins; nil when this is the last one.
  package let next: EnvelopeNumber?
  /// How many envelopes match on all pages.
  package let total: Int
  /// How many envelopes the store has forgotten because it was full.
  package let evicted: UInt64

  /// Writes the page as the console shows lists.
  package func json(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("items")
    writer.beginArray()
    for item in items { item.json(into: &writer) }
    writer.endArray()
    writer.memberOrNull("next", next.map(EnvelopeID.text))
    writer.member("total", total)
    writer.member("evicted", evicted)
    writer.endObject()
  }
}
