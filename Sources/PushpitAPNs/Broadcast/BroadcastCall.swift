internal import PushpitHTTPTypes
internal import PushpitModel

/// What was read of one request about channels, and what its checks found.
struct BroadcastCall {
  /// What a request wants, by path and method.
  enum Operation {
    case send
    case create
    case read
    case delete
    case list
    /// Nothing that the host has.
    case nothing
  }

  /// Whose list of checks a request has.
  enum Kind {
    /// Requests about channels.
    case channels
    /// Broadcasts to one.
    case broadcast

    /// Nil where the list of device pushes has it, as it has a path that the host does not know.
    init?(_ request: PushRequest, _ path: APNsPath) {
      switch (path, BroadcastHost(request.head.authority)) {
      case (.broadcast, .push), (.broadcast, .other): self = .broadcast
      case (_, .management), (.channels, .other), (.allChannels, .other): self = .channels
      // Only channels have this version.
      case (.unknown, .other) where request.head.target.starts(with: "/1/".utf8):
        self = .channels
      case (.device, _), (.unknown, _), (.channels, .push), (.allChannels, .push): return nil
      }
    }
  }

  /// The most bytes of a channel id.
  ///
  /// The page has a reason for one that is too long, and no number. Assumed with much room: ids have
  /// 24, and Apple says not to rely on their size.
  static let channelIDLimit = 255

  let operation: Operation
  /// The bundle ID of the path, empty without one.
  let app: ArraySlice<UInt8>
  /// `apns-request-id`, as sent.
  let requestID: ArraySlice<UInt8>?
  /// `apns-channel-id`, empty without one.
  let channelID: ArraySlice<UInt8>
  /// The channel that the request names, once the check of it has passed; or that it made.
  var channel: Channel?
  /// What a new channel is to be, once its checks have passed.
  var body = ChannelBody()

  init(_ request: PushRequest, _ path: APNsPath, _ host: BroadcastHost) {
    let target = request.head.target
    let method = request.head.method
    switch (path, host) {
    case (.broadcast(let range), .push), (.broadcast(let range), .other):
      (operation, app) = (.send, target[range])
    case (.channels(let range), .management), (.channels(let range), .other):
      (operation, app) = (Self.channelOperation(method), target[range])
    case (.allChannels(let range), .management), (.allChannels(let range), .other):
      (operation, app) = (method.isEqual("GET") ? .list : .nothing, target[range])
    case (.broadcast, .management), (.channels, .push), (.allChannels, .push), (.device, _),
      (.unknown, _):
      (operation, app) = (.nothing, [])
    }
    requestID = request.head.fields.value("apns-request-id")
    channelID = request.head.fields.value("apns-channel-id") ?? []
  }

  /// The bundle ID as text.
  var appName: String { String(decoding: app, as: UTF8.self) }

  /// Whether the id could be one: standard base64, which all of Apple's are (observed 2026).
  var isChannelIDWellFormed: Bool {
    channelID.count <= Self.channelIDLimit && channelID.count % 4 == 0
      && BroadcastCall.isStandardBase64(channelID)
  }

  private static func channelOperation(_ method: [UInt8]) -> Operation {
    if method.isEqual("POST") { return .create }
    if method.isEqual("GET") { return .read }
    return method.isEqual("DELETE") ? .delete : .nothing
  }

  private static func isStandardBase64(_ text: ArraySlice<UInt8>) -> Bool {
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return padding <= 2
      && text.dropLast(padding).allSatisfy { byte in
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "+")
          || byte == UInt8(ascii: "/")
      }
  }
}
