internal import CUV

/// What is typed at a terminal, as bytes, without a thread that waits for it.
///
/// Whether keys come one by one or line by line is the terminal's own setting.
package final class TerminalInput: LoopHandle {
  /// Dropped with the handle, so that it may hold its own handle.
  private var action: (([UInt8]) -> Void)?

  /// Begins to read; the closure gets what was typed, and in the end no bytes at all.
  ///
  /// libuv opens the terminal anew under the same descriptor, so that whoever shares the terminal still
  /// waits for what they read and write.
  package init(
    _ loop: EventLoop, descriptor: Int32, _ action: @escaping ([UInt8]) -> Void
  ) throws(NetworkError) {
    self.action = action
    let operation = "read the terminal"
    try super.init(loop, uv_tty_t.self, operation: operation) {
      uv_tty_init($0, $1, descriptor, 1)
    }
    let status = uv_read_start(
      UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self),
      { handle, _, buffer in
        guard let handle, let memory = handle.pointee.loop.pointee.data else { return }
        buffer?.pointee = uv_buf_init(
          memory.assumingMemoryBound(to: CChar.self), UInt32(LoopCore.readLimit))
      },
      { handle, count, buffer in
        guard let data = handle?.pointee.data else { return }
        (Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue() as? TerminalInput)?
          .didRead(count, buffer?.pointee.base)
      })
    guard status == 0 else {
      close()
      throw NetworkError(operation, status: status)
    }
  }

  private func didRead(_ count: Int, _ base: UnsafeMutablePointer<CChar>?) {
    guard count != 0 else { return }
    guard count > 0, let base else {
      action?([])
      return close()
    }
    action?(Array(UnsafeRawBufferPointer(start: base, count: count)))
  }

  override func didClose() { action = nil }
}
