internal import Synchronization

/// The tasks that follow a running gateway's devices.
final class DeviceFollowers: Sendable {
  private let tasks = Mutex<[Task<Void, any Error>]>([])

  /// Remembers a task to be ended with the others.
  func add(_ task: Task<Void, any Error>) {
    tasks.withLock { $0.append(task) }
  }

  /// Ends all of them.
  func cancelAll() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}
