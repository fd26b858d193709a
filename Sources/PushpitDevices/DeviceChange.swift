package import PushpitJSON
internal import PushpitModel

/// What is to become of a device's settings; nil leaves one as it is.
package struct DeviceChange: Sendable, Equatable {
  /// Who decides whether a device is online.
  package enum Online: Sendable, Equatable {
    case requested(Bool)
    /// Its streams: online while one is open.
    case byStream
  }

  package var name: String?
  package var online: Online?
  package var foreground: Foreground?
  package var permission: Permission?
  /// iOS: whether it saves power.
  package var powerSaving: Bool?
  /// Android: whether it dozes.
  package var dozing: Bool?
  /// Ids of the broadcast channels that an iOS device follows, all of them.
  package var channels: [String]?
  /// The FCM topics that the app is subscribed to, all of them.
  package var topics: [String]?

  /// What the app reports to its provider.
  package var callbacks: DeviceCallbacks?

  package init() {}

  /// Reads the body of a `PATCH`.
  /// - Throws: `DeviceError.invalid` with every problem of the body.
  package init(json: JSONValue) throws(DeviceError) {
    var reader = InputReader(json, members: Self.members)
    self.init(&reader)
    guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
  }

  /// The most characters (Unicode scalars) of a device's name, which every list repeats.
  static let nameLimit = 256

  /// The members that making and changing a device have in common.
  static let members: Set<String> = [
    "name", "online", "foreground", "permission", "powerSaving", "dozing", "channels", "topics",
    "callbacks",
  ]

  init(_ reader: inout InputReader) {
    name = reader.string("name")
    if name?.isEmpty == true { reader.report("name", "must not be empty") }
    if let name, name.unicodeScalars.count > Self.nameLimit {
      reader.report("name", "has more than \(Self.nameLimit) characters")
    }
    if reader.has("online") {
      online = reader.bool("online").map(Online.requested) ?? .byStream
    }
    permission = reader.choice("permission")
    powerSaving = reader.bool("powerSaving")
    dozing = reader.bool("dozing")
    foreground = Self.foreground(&reader)
    channels = Self.strings("channels", "channel ids", &reader)
    topics = Self.strings("topics", "names of topics", &reader)
    callbacks = reader.callbacks()
  }

  /// Whether a device of a platform saves power from now on; nil when that stays as it is.
  func savesPower(_ platform: Platform) -> Bool? {
    switch platform {
    case .ios: powerSaving
    case .android: dozing
    case .web: nil
    }
  }

  /// What is wrong with it for a device of a platform.
  func problems(on platform: Platform) -> [InputProblem] {
    [("powerSaving", powerSaving), ("dozing", dozing)].compactMap { name, value in
      guard value != nil, name != platform.powerName else { return nil }
      return InputProblem("/\(name)", "a device of platform \(platform) has no such state")
    }
  }

  private static func strings(
    _ key: String, _ title: String, _ reader: inout InputReader
  ) -> [String]? {
    guard let value = reader.value(key) else { return nil }
    let strings = value.arrayValue.map { $0.compactMap(\.stringValue) }
    if let strings, strings.count == value.arrayValue?.count { return strings }
    reader.report(key, "expected an array of \(title), each a string")
    return nil
  }

  private static func foreground(_ reader: inout InputReader) -> Foreground? {
    guard let value = reader.value("foreground") else { return nil }
    if let isOpen = value.boolValue { return isOpen ? .open : .closed }
    if let object = value.objectValue, object.members.count == 1,
      let conversation = object["conversation"]?.stringValue
    {
      return .conversation(conversation)
    }
    reader.report("foreground", #"expected false, true or {"conversation": "<id>"}"#)
    return nil
  }
}
