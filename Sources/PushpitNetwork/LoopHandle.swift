internal import CUV

/// Something the loop watches until it is closed: a timer, a signal, a socket.
///
/// The loop keeps the object alive from `init` until its `close()` has taken effect. All members
/// are for the loop's thread.
package class LoopHandle {
  /// The loop that watches it.
  package let loop: EventLoop

  /// Whether `close()` was called; nothing more will happen on it.
  package private(set) var isClosed = false

  /// The libuv handle, with room for its whole type; freed when libuv has let go of it.
  let handle: UnsafeMutablePointer<uv_handle_t>

  /// Makes the libuv handle of one type.
  init<Handle>(
    _ loop: EventLoop, _ type: Handle.Type, operation: String,
    _ initialize: (UnsafeMutablePointer<uv_loop_t>, UnsafeMutablePointer<Handle>) -> Int32
  ) throws(NetworkError) {
    loop.preconditionIsolated()
    let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    let status = initialize(loop.core.loop, memory)
    guard status == 0 else {
      memory.deallocate()
      throw NetworkError(operation, status: status)
    }
    self.loop = loop
    handle = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: uv_handle_t.self)
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    loop.core.handleOpened()
  }

  /// Stops watching; a second call does nothing.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    uv_close(handle) { handle in
      guard let handle, let data = handle.pointee.data else { return }
      let object = Unmanaged<LoopHandle>.fromOpaque(data).takeRetainedValue()
      UnsafeMutableRawPointer(handle).deallocate()
      object.didClose()
      object.loop.core.handleClosed()
    }
  }

  /// Called once libuv has let go of the handle.
  func didClose() {}
}
