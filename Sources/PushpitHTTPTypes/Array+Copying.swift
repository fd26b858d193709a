extension [UInt8] {
  /// Appends a copy of these bytes.
  ///
  /// What `append(contentsOf:)` does in a third of its instructions (measured): that one is made for
  /// every kind of collection.
  package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    append(addingCapacity: bytes.count) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        // There is room for what was asked for, and a copy is all that bytes need to be initialised.
        guard let target = UnsafeMutableRawPointer(room.baseAddress) else { return }
        target.copyMemory(from: source, byteCount: bytes.count)
        count = bytes.count
      }
    }
  }

  /// Appends copies of both, with one look at the array's memory.
  package mutating func append(
    copying first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) {
    guard let firstSource = first.baseAddress, let secondSource = second.baseAddress else {
      append(copying: first)
      return append(copying: second)
    }
    append(addingCapacity: first.count + second.count) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        guard let target = UnsafeMutableRawPointer(room.baseAddress) else { return }
        target.copyMemory(from: firstSource, byteCount: first.count)
        (target + first.count).copyMemory(from: secondSource, byteCount: second.count)
        count = first.count + second.count
      }
    }
  }
}
