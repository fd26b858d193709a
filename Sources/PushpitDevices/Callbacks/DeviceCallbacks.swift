package import PushpitJSON
internal import PushpitModel

/// What an app reports to its provider, and how; nothing by default.
///
/// An object, because thousands of devices can have the same.
package final class DeviceCallbacks: Sendable, Equatable {
  /// Which token is reported.
  enum Registers: String, Sendable, CaseIterable {
    case apns
    /// On iOS a mistake that Flutter apps make: `getToken()` instead of `getAPNSToken()`.
    case fcm

    var name: TokenName {
      switch self {
      case .apns: .apns(.app)
      case .fcm: .fcm
      }
    }
  }

  /// Nothing is reported.
  package static let none = DeviceCallbacks()

  /// Nil for the device's main token.
  let registers: Registers?
  let register: CallbackTemplate?
  let clear: CallbackTemplate?
  let opened: CallbackTemplate?

  private init() {
    registers = nil
    register = nil
    clear = nil
    opened = nil
  }

  private static let members: Set<String> =
    Set(CallbackKind.allCases.map(\.rawValue)).union(["registers"])

  /// Reads callbacks at a place of a request's body, and adds what is wrong with them.
  init(_ value: JSONValue, at path: String, _ problems: inout [InputProblem]) {
    var reader = InputReader(value, at: path, members: Self.members)
    registers = reader.choice("registers")
    var found: [InputProblem] = []
    let template = { (kind: CallbackKind) in
      reader.value(kind.rawValue).flatMap {
        CallbackTemplate($0, at: JSONValue.pointer(path, to: kind.rawValue), &found)
      }
    }
    register = template(.register)
    clear = template(.clear)
    opened = template(.opened)
    problems += reader.problems + found
  }

  /// Reads the callbacks of a configuration file.
  /// - Throws: `DeviceError.invalid` with every problem.
  package convenience init(json: JSONValue) throws(DeviceError) {
    var problems: [InputProblem] = []
    self.init(json, at: "/callbacks", &problems)
    guard problems.isEmpty else { throw .invalid(problems) }
  }

  package static func == (one: DeviceCallbacks, other: DeviceCallbacks) -> Bool {
    one === other
      || one.registers == other.registers && one.register == other.register
        && one.clear == other.clear && one.opened == other.opened
  }

  /// The template of a kind; nil when it is not reported.
  func template(_ kind: CallbackKind) -> CallbackTemplate? {
    switch kind {
    case .register: register
    case .clear: clear
    case .opened: opened
    }
  }

  /// Writes the callbacks as they were given; null when nothing is reported.
  func write(into writer: inout JSONWriter) {
    guard CallbackKind.allCases.contains(where: { template($0) != nil }) else {
      return writer.null()
    }
    writer.beginObject()
    if let registers { writer.member("registers", registers.rawValue) }
    for kind in CallbackKind.allCases {
      guard let template = template(kind) else { continue }
      writer.key(kind.rawValue)
      template.write(into: &writer)
    }
    writer.endObject()
  }
}

extension InputReader {
  /// `callbacks`: nil without the member, none at all when it is null.
  mutating func callbacks() -> DeviceCallbacks? {
    guard has("callbacks") else { return nil }
    guard let value = value("callbacks") else { return DeviceCallbacks.none }
    var problems: [InputProblem] = []
    let callbacks = DeviceCallbacks(value, at: "/callbacks", &problems)
    report(problems)
    return callbacks
  }
}

extension DeviceSpecification {
  /// That its app cannot report a token which it does not have.
  var callbackProblem: InputProblem? {
    let pointer = "/callbacks/registers"
    switch settings.callbacks?.registers {
    case .apns where platform != .ios:
      return InputProblem(pointer, "a device of platform \(platform) has no APNs token")
    case .fcm where platform == .ios && !hasFirebase:
      return InputProblem(pointer, "the app has no FCM token; \"firebase\": true gives it one")
    case .apns, .fcm, nil: return nil
    }
  }
}
