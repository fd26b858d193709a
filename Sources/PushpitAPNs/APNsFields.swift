internal import PushpitHTTPTypes

/// Where the fields that APNs reads lie in a request's field bytes, found in one pass.
struct APNsFields {
  var authorization: Range<Int>?
  var id: Range<Int>?
  var topic: Range<Int>?
  var pushType: Range<Int>?
  var priority: Range<Int>?
  var expiration: Range<Int>?
  var collapseID: Range<Int>?
  /// The name of the first of these fields that came twice.
  var repeated: Range<Int>?

  /// Reads all fields; of a repeated one the first counts.
  mutating func read(_ fields: FieldList) {
    fields.bytes.withUnsafeBufferPointer { bytes in
      fields.entries.withUnsafeBufferPointer { entries in
        for index in entries.indices {
          let entry = entries[index]
          // Other lengths are no names of ours.
          guard entry.nameCount >= 7, entry.nameCount <= 16, let start = bytes.baseAddress else {
            continue
          }
          read(
            entry,
            name: UnsafeBufferPointer(start: start + Int(entry.start), count: Int(entry.nameCount)))
        }
      }
    }
  }

  private mutating func read(_ entry: FieldList.Entry, name: UnsafeBufferPointer<UInt8>) {
    switch name.count {
    case 7 where name.isEqualIgnoringCase("apns-id"): Self.set(&id, entry, &repeated)
    case 10 where name.isEqualIgnoringCase("apns-topic"): Self.set(&topic, entry, &repeated)
    case 13 where name.isEqualIgnoringCase("authorization"):
      Self.set(&authorization, entry, &repeated)
    case 13 where name.isEqualIgnoringCase("apns-priority"): Self.set(&priority, entry, &repeated)
    case 14 where name.isEqualIgnoringCase("apns-push-type"): Self.set(&pushType, entry, &repeated)
    case 15 where name.isEqualIgnoringCase("apns-expiration"):
      Self.set(&expiration, entry, &repeated)
    case 16 where name.isEqualIgnoringCase("apns-collapse-id"):
      Self.set(&collapseID, entry, &repeated)
    default: break
    }
  }

  private static func set(
    _ field: inout Range<Int>?, _ entry: FieldList.Entry, _ repeated: inout Range<Int>?
  ) {
    if field == nil {
      field = entry.value
    } else if repeated == nil {
      repeated = entry.name
    }
  }
}
