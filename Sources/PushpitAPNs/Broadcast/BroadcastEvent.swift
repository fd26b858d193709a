internal import PushpitJSON

/// What a broadcast's payload does to the Live Activities that get it, by `aps.event`.
enum BroadcastEvent {
  /// `update` or `end`.
  case change
  /// `start`, which takes a push to a device.
  case start
  /// Nothing that a Live Activity understands; the value, when it is a string.
  case other(String?)

  /// Reads a payload; nil when it is no JSON object.
  init?(_ payload: [UInt8]) {
    guard let object = (try? JSONReader.parse(payload))?.objectValue else { return nil }
    let event = object["aps"]?["event"]?.stringValue
    switch event {
    case "update", "end": self = .change
    case "start": self = .start
    default: self = .other(event)
    }
  }
}
