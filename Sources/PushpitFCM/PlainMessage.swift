/// A message to a token as most senders write it: valid, and of nothing but `notification`, `data`, and
/// how Android is to deliver and to show them.
///
/// It has what `MessageBody`, `MessageRules` and `DeviceMessage` make of the same body for an Android
/// device, without a tree of values in between; a test compares them. Every other body, and every fault,
/// is theirs alone.
struct PlainMessage {
  /// Where the registration token lies in the body; its form is not examined.
  var token = 0..<0
  /// Where the collapse key lies; empty without one.
  var collapse = 0..<0
  /// Whether it is a notification without one.
  var collapsesByApp = false
  /// In whole seconds; nil for the service's default.
  var timeToLive: Int64?
  /// Whether its priority is `HIGH`, by default that of notifications.
  var isUrgent = true
  /// The effective message as JSON.
  var payload: [UInt8] = []
}
