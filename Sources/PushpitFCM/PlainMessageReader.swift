import PushpitHTTPTypes
import PushpitJSON

/// Reads plain messages; it is kept for the memory of its lists.
///
/// No run-time exclusivity checks on its properties: all accesses happen on the loop's thread, and what
/// reading calls does not come back here.
final class PlainMessageReader {
  /// With more entries of data a message is not plain: each is compared with all before it.
  static let dataLimit = 16
  /// As many fields as the common notification has, and those of Android's that are plain.
  private static let notificationLimit = 11
  private static let androidLimit = 8

  /// A member whose value is a string: where both lie, without their quotes.
  private typealias Member = (key: Range<Int>, value: Range<Int>)
  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The members of `notification`, of `data`, and of Android's `notification`: lists that never grow
  /// need no care.
  @exclusivity(unchecked) private var members =
    [Member](repeating: (0..<0, 0..<0), count: notificationLimit + dataLimit + androidLimit)
  @exclusivity(unchecked) private var notificationCount = 0
  @exclusivity(unchecked) private var dataCount = 0
  @exclusivity(unchecked) private var androidCount = 0
  /// Whether Android's priority is `HIGH`; nil when the message has none.
  @exclusivity(unchecked) private var priority: Bool?

  /// The message of a body; nil when it is not a plain one.
  func read(_ body: [UInt8]) -> PlainMessage? {
    notificationCount = 0
    dataCount = 0
    androidCount = 0
    priority = nil
    var message = PlainMessage()
    return body.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      guard cursor.beginObject(), case .key(let key) = cursor.nextMember(isFirst: true),
        bytes[at: key].isEqual("message"), readMessage(&cursor, bytes, &message),
        case .end = cursor.nextMember(isFirst: false), cursor.isAtEnd(), !message.token.isEmpty
      else { return nil }
      layAndroidOver(bytes)
      guard byteCount <= MessageRules.tokenByteLimit else { return nil }
      message.collapsesByApp = message.collapse.isEmpty && notificationCount > 0
      message.isUrgent = priority ?? (notificationCount > 0)
      message.payload = payload(bytes)
      return message
    }
  }

  private func readMessage(
    _ cursor: inout JSONCursor, _ bytes: Bytes, _ message: inout PlainMessage
  ) -> Bool {
    var seen: UInt8 = 0
    return readMembers(&cursor) { cursor, key in
      switch key.count {
      case 4 where bytes[at: key].isEqual("data"):
        return Self.mark(1, &seen) && readData(&cursor, bytes)
      case 5 where bytes[at: key].isEqual("token"):
        return Self.mark(2, &seen) && Self.readString(&cursor, into: &message.token)
      case 7 where bytes[at: key].isEqual("android"):
        return Self.mark(4, &seen) && readAndroid(&cursor, bytes, &message)
      case 12 where bytes[at: key].isEqual("notification"):
        return Self.mark(8, &seen) && readNotification(&cursor, bytes)
      default: return false
      }
    }
  }

  private func readNotification(_ cursor: inout JSONCursor, _ bytes: Bytes) -> Bool {
    var seen: UInt8 = 0
    return readMembers(&cursor) { cursor, key in
      let name = bytes[at: key]
      let bit: UInt8 =
        name.isEqual("title") ? 1 : name.isEqual("body") ? 2 : name.isEqual("image") ? 4 : 0
      guard bit > 0, Self.mark(bit, &seen), let value = cursor.takeString() else { return false }
      members[notificationCount] = (key, value)
      notificationCount += 1
      return true
    }
  }

  private func readData(_ cursor: inout JSONCursor, _ bytes: Bytes) -> Bool {
    readMembers(&cursor) { cursor, key in
      let name = bytes[at: key]
      guard dataCount < Self.dataLimit, !MessageRules.isReserved(name),
        let value = cursor.takeString()
      else { return false }
      for index in data where bytes[at: members[index].key].hasBytes(of: name) { return false }
      members[Self.notificationLimit + dataCount] = (key, value)
      dataCount += 1
      return true
    }
  }

  private func readAndroid(
    _ cursor: inout JSONCursor, _ bytes: Bytes, _ message: inout PlainMessage
  ) -> Bool {
    var seen: UInt8 = 0
    return readMembers(&cursor) { cursor, key in
      let name = bytes[at: key]
      if name.isEqual("priority") {
        guard Self.mark(1, &seen), let value = cursor.takeString() else { return false }
        let text = bytes[at: value]
        let isHigh = text.isEqual("high") || text.isEqual("HIGH")
        priority = isHigh
        return isHigh || text.isEqual("normal") || text.isEqual("NORMAL")
      }
      if name.isEqual("ttl") {
        guard Self.mark(2, &seen), let value = cursor.takeString() else { return false }
        message.timeToLive = Self.wholeSeconds(bytes[at: value])
        return message.timeToLive != nil
      }
      if name.isEqual("notification") {
        return Self.mark(8, &seen) && readAndroidNotification(&cursor, bytes)
      }
      return (name.isEqual("collapse_key") || name.isEqual("collapseKey"))
        && Self.mark(4, &seen) && Self.readString(&cursor, into: &message.collapse)
    }
  }

  /// Reads those fields of Android's notification that are texts without rules of their own, by their
  /// proto names, which admin SDKs write.
  private func readAndroidNotification(_ cursor: inout JSONCursor, _ bytes: Bytes) -> Bool {
    var seen: UInt8 = 0
    return readMembers(&cursor) { cursor, key in
      guard let bit = Self.androidBit(bytes[at: key]), Self.mark(bit, &seen),
        let value = cursor.takeString()
      else { return false }
      members[Self.notificationLimit + Self.dataLimit + androidCount] = (key, value)
      androidCount += 1
      return true
    }
  }

  private static func androidBit(_ name: Bytes) -> UInt8? {
    switch name.count {
    case 3 where name.isEqual("tag"): 1
    case 4 where name.isEqual("body"): 2
    case 4 where name.isEqual("icon"): 4
    case 5 where name.isEqual("title"): 8
    case 5 where name.isEqual("sound"): 16
    case 5 where name.isEqual("image"): 32
    case 10 where name.isEqual("channel_id"): 64
    case 12 where name.isEqual("click_action"): 128
    default: nil
    }
  }
}

// MARK: - Parts

extension PlainMessageReader {
  /// Reads an object, each member of which is read by a closure; false when that gives up.
  @inline(__always)
  private func readMembers(
    _ cursor: inout JSONCursor, _ read: (inout JSONCursor, Range<Int>) -> Bool
  ) -> Bool {
    guard cursor.beginObject() else { return false }
    var isFirst = true
    while true {
      switch cursor.nextMember(isFirst: isFirst) {
      case .end: return true
      case .unreadable: return false
      case .key(let key): guard read(&cursor, key) else { return false }
      }
      isFirst = false
    }
  }

  /// Notes that a field came; false when it came before.
  @inline(__always)
  private static func mark(_ bit: UInt8, _ seen: inout UInt8) -> Bool {
    defer { seen |= bit }
    return seen & bit == 0
  }

  @inline(__always)
  private static func readString(_ cursor: inout JSONCursor, into range: inout Range<Int>) -> Bool {
    guard let value = cursor.takeString() else { return false }
    range = value
    return true
  }

  /// Reads `3600s`; nil for fractions and what is out of range.
  private static func wholeSeconds(_ text: Bytes) -> Int64? {
    guard (2...8).contains(text.count), text.last == UInt8(ascii: "s") else { return nil }
    var seconds: Int64 = 0
    for byte in text.dropLast() {
      guard byte &- 0x30 < 10 else { return nil }
      seconds = seconds * 10 + Int64(byte &- 0x30)
    }
    return seconds <= MessageRules.timeToLiveLimit ? seconds : nil
  }

  private var notification: Range<Int> { 0..<notificationCount }

  private var data: Range<Int> {
    Self.notificationLimit..<Self.notificationLimit + dataCount
  }

  /// Lays Android's notification over the common one, as `EffectiveMessage` does.
  private func layAndroidOver(_ bytes: Bytes) {
    let start = Self.notificationLimit + Self.dataLimit
    for index in start..<start + androidCount {
      let key = bytes[at: members[index].key]
      if let same = notification.first(where: { bytes[at: members[$0].key].hasBytes(of: key) }) {
        members[same].value = members[index].value
      } else {
        members[notificationCount] = members[index]
        notificationCount += 1
      }
    }
  }

  /// As the documented limit counts.
  private var byteCount: Int { byteCount(notification) + byteCount(data) }

  private func byteCount(_ range: Range<Int>) -> Int {
    var count = 0
    for index in range { count += members[index].key.count + members[index].value.count }
    return count
  }

  /// `notification` and `data`, each only when it has members.
  private func payload(_ bytes: Bytes) -> [UInt8] {
    // Braces and names, and for each member two pairs of quotes, a colon and a comma.
    let count = byteCount + 6 * (notificationCount + dataCount) + 32
    return ByteWriter.bytes(atMost: count) { writer in
      writer.write("{")
      if !notification.isEmpty { write(notification, "\"notification\":{", bytes, &writer) }
      if !notification.isEmpty, !data.isEmpty { writer.write(",") }
      if !data.isEmpty { write(data, "\"data\":{", bytes, &writer) }
      writer.write("}")
    }
  }

  private func write(
    _ range: Range<Int>, _ start: StaticString, _ bytes: Bytes, _ writer: inout ByteWriter
  ) {
    writer.write(start)
    for index in range {
      let member = members[index]
      if index > range.lowerBound { writer.write(",") }
      // With their quotes.
      writer.write(bytes[at: member.key.lowerBound - 1..<member.key.upperBound + 1])
      writer.write(":")
      writer.write(bytes[at: member.value.lowerBound - 1..<member.value.upperBound + 1])
    }
    writer.write("}")
  }
}
