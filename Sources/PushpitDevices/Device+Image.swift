package import PushpitJSON
internal import PushpitModel

/// What of a device outlives a restart: what it is, its tokens with their lives, and what its owner set.
///
/// Not what reached it, which is in the record, and not its Live Activities and channels.
extension Device {
  /// The image of the device.
  package var image: JSONValue {
    var object = JSONObject([
      "serial": .int(serial), "workspace": .string(workspace.rawValue),
      "platform": .string(platform.rawValue), "app": .string(app), "name": .string(name),
      "permission": .string(permission.rawValue), "savesPower": .bool(savesPower),
      "installed": .bool(isInstalled), "callbacks": callbacksImage,
      "topics": .array(topics.map { .string($0) }),
    ])
    object["environment"] = environment.map { .string($0.rawValue) }
    object["project"] = project.map { .string($0) }
    object["contract"] = contract.map { .string($0) }
    object["tokenDelay"] = tokenDelay.map { .string(DurationText.write($0)) }
    object["online"] = onlineRequest.map { .bool($0) }
    object["declaration"] = declaration.map { .string($0) }
    switch foreground {
    case .closed: break
    case .open: object["foreground"] = true
    case .conversation(let id): object["foreground"] = ["conversation": .string(id)]
    }
    object["tokens"] = .array(
      [(apnsToken, "app"), (fcmToken, "fcm")].compactMap { record, role in
        record?.image(role: role)
      } + furtherTokens.map { $0.image(role: "further") }
        + formerTokens.map { $0.image(role: "former") })
    return .object(object)
  }

  private var callbacksImage: JSONValue {
    var writer = JSONWriter(style: .compact)
    callbacks.write(into: &writer)
    return (try? JSONReader.parse(writer.bytes)) ?? .null
  }
}

extension TokenRecord {
  fileprivate func image(role: String) -> JSONValue {
    var object = JSONObject(["role": .string(role), "token": .string(text)])
    object["purpose"] = purpose.map { .string($0.rawValue) }
    object["cleared"] = isCleared ? true : nil
    object["disconnectedAt"] = disconnectedAt.map { .int($0.milliseconds) }
    switch state {
    case .active: break
    case .unregistered(let since): object["unregistered"] = .int(since.milliseconds)
    case .rotated(let at): object["rotated"] = .int(at.milliseconds)
    case .expired(let since): object["expired"] = .int(since.milliseconds)
    }
    return .object(object)
  }

  /// Takes over the life of a token from an image.
  func takeLife(from image: JSONValue) {
    func moment(_ name: String) -> Timestamp? {
      image[name]?.intValue.map { Timestamp(milliseconds: Int64($0)) }
    }
    isCleared = image["cleared"]?.boolValue ?? false
    disconnectedAt = moment("disconnectedAt")
    if let since = moment("unregistered") { state = .unregistered(since: since) }
    if let at = moment("rotated") { state = .rotated(at: at) }
    if let since = moment("expired") { state = .expired(since: since) }
  }
}
