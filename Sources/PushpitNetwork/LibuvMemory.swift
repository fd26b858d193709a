/// Memory that holds a libuv object, from its allocation until somebody frees it.
///
/// It is kept as an address, which threads may share. What lies there is for the loop's thread; the one
/// call of libuv that any thread may make is `uv_async_send` (libuv's documentation of `uv_async_t`).
struct LibuvMemory<Object>: Sendable {
  private let address: UInt

  /// Allocates room for one object.
  init() {
    address = UInt(bitPattern: UnsafeMutablePointer<Object>.allocate(capacity: 1))
  }

  /// Where the object is.
  var pointer: UnsafeMutablePointer<Object> {
    guard let pointer = UnsafeMutablePointer<Object>(bitPattern: address) else {
      preconditionFailure("allocated memory has an address")
    }
    return pointer
  }

  /// Gives the memory back.
  func free() { pointer.deallocate() }
}
