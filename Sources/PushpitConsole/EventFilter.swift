internal import PushpitModel
internal import PushpitRecording

/// Which events a stream wants.
struct EventFilter: Sendable, Equatable {
  /// Nil for all kinds.
  var kinds: Set<EventKind>?
  /// Nil for all workspaces.
  var workspace: WorkspaceID?

  /// Whether an event is wanted; one that concerns no workspace is wanted in each.
  func wants(_ event: Event) -> Bool {
    if let kinds, !kinds.contains(event.subject.kind) { return false }
    return workspace == nil || event.workspace == nil || event.workspace == workspace
  }
}
