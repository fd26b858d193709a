internal import PushpitJSON
internal import PushpitModel

/// One setting of a workspace: its name, what it takes, why its default is what it is.
struct WorkspaceSetting: Sendable {
  let name: String
  /// The values it takes, for people: `one of observed, documented`.
  let form: String
  /// Why the default is what it is, a sentence.
  let reason: String
  /// Its value as JSON.
  let value: @Sendable (SettingValues) -> JSONValue
  /// Sets it; false when the value has not the setting's form.
  let set: @Sendable (JSONValue, inout SettingValues) -> Bool

  /// All settings, in the order in which they are listed.
  static let all: [WorkspaceSetting] = [
    choice(
      "tokens", \.policies.tokens, "A new user's first push works without registering a device."),
    choice(
      "auth", \.policies.authentication, "Credentials are checked as the vendors check them."),
    choice(
      "wire", \.policies.wire,
      "Where captures and documents differ, senders meet what was captured."),
    choice(
      "wedge", \.apns.wedge,
      "After ExpiredProviderToken a connection of APNs takes no token any more (seen 2020); it "
        + "answered InternalServerError in 2016 and 2017."),
    choice(
      "apnsOverHTTP1", \.apns.http1OverTLS,
      "APNs answers HTTP/1.x over TLS with HTTP/2 frames (seen 2019 and 2026)."),
    count(
      "providerTokenUpdates", \.apns.providerTokenUpdates, 0...1000,
      "APNs documents an error for any new provider token within 20 minutes on a connection; 5 have "
        + "been seen to pass."),
    perSecond(
      "apnsTooManyRequests", \.apns.requestsPerSecond,
      "APNs limits pushes to one device token, but publishes no number."),
    optionalDuration(
      "idleTimeout", \.apns.idleTimeout,
      "When APNs ends an idle connection is not known; null is the listener's own limit, an hour."),
    choice(
      "apnsGoAways", \.apns.goAways,
      "Every whole capture of APNs' own end of a connection has one GOAWAY; two were seen in 2016."),
    duration(
      "uninstallDelay", \.apns.uninstallDelay,
      "APNs answers 200 for up to weeks after an uninstall, on purpose, and FCM does for a while; a "
        + "test wants its 410 or 404 at once."),
    choice(
      "apnsInvalidPayload", \.apns.invalidPayload,
      "What APNs answers to a payload that is no JSON object is not known; another test server "
        + "answers PayloadEmpty."),
    choice(
      "apnsBackgroundPriority", \.apns.backgroundPriority,
      "Apple calls a background push with priority 10 an error; no capture shows a refusal."),
    names(
      "broadcastDisabledApps", \.apns.broadcastDisabledApps,
      "The broadcast capability is a switch at Apple's; off, an app has no channels."),
    choice(
      "fcmSizeLimit", \.fcm.sizeLimit,
      "FCM documents 2048 bytes for topics, and took 4506 (measured 2026); wire documented is "
        + "documented here too."),
    flag(
      "fcmApiEnabled", \.fcm.isAPIEnabled,
      "The API is a switch in Google's console; off, every send is refused with SERVICE_DISABLED."),
    quotas(
      "fcmQuotas", \.fcm.quotas,
      "FCM allows 600,000 messages a minute to a project and 240 to a device; a test that sends fast "
        + "should not meet that by chance."),
    apnsKey(
      "fcmAPNsKey", \.fcm.apnsKey,
      "FCM passes messages to iOS apps on with the APNs key that somebody uploaded in Firebase's "
        + "console, which a gateway cannot see: by default any key of the workspace that is good for the "
        + "app and its environment."),
    duration(
      "accessTokenLifetime", \.fcm.accessTokenLifetime, from: .seconds(1),
      "Google's access tokens live an hour, and its answer says 3599 seconds (measured 2026)."),
    count(
      "delivery.backgroundPerHour", \.delivery.backgroundPerHour, DeliverySettings.backgroundLimits,
      "iOS may throttle background pushes, and Apple asks for no more than two or three an hour; a test "
        + "should not meet that by chance."),
    optionalText(
      "contract.campaignType", \.contract.campaignType, limit: 100,
      "The Respondo SDK's documents name the type of messages only; what has a delivery_id is a campaign."
    ),
    count(
      "limits.envelopes", \.limits.envelopes, LimitSettings.envelopeRange,
      "All workspaces share what is kept, and the oldest envelope goes first; a noisy one can be held to less."
    ),
    count(
      "limits.devices", \.limits.devices, LimitSettings.deviceRange,
      "All workspaces share the devices that there can be."),
  ]
}

// MARK: - Forms

extension WorkspaceSetting {
  typealias Path<Value> = any WritableKeyPath<SettingValues, Value> & Sendable

  private static func choice<Choice>(
    _ name: String, _ path: Path<Choice>, _ reason: String
  ) -> WorkspaceSetting
  where Choice: RawRepresentable & CaseIterable & SendableMetatype, Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return required(
      name, path, form: "one of \(names)", reason, write: { .string($0.rawValue) },
      read: { $0.stringValue.flatMap { Choice(rawValue: $0) } })
  }

  private static func count(
    _ name: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ reason: String
  ) -> WorkspaceSetting {
    optional(
      name, path, form: "a number from \(range.lowerBound) to \(range.upperBound), or null for any",
      reason, write: { .int($0) },
      read: { value in value.wholeValue.flatMap { range.contains($0) ? $0 : nil } })
  }

  private static func perSecond(
    _ name: String, _ path: Path<Int?>, _ reason: String
  ) -> WorkspaceSetting {
    let range = 1...1_000_000
    return optional(
      name, path,
      form: #"{"perSecond": n} with n from 1 to \#(range.upperBound), or null for no limit"#,
      reason, write: { ["perSecond": .int($0)] },
      read: { value in
        guard let object = value.objectValue, object.members.count == 1 else { return nil }
        return object["perSecond"]?.wholeValue.flatMap { range.contains($0) ? $0 : nil }
      })
  }

  private static func duration(
    _ name: String, _ path: Path<Duration>, from shortest: Duration = .zero, _ reason: String
  ) -> WorkspaceSetting {
    let limit = shortest > .zero ? " of at least \(DurationText.write(shortest))" : ""
    return required(
      name, path, form: "a duration\(limit) like \(DurationText.examples)", reason,
      write: { .string(DurationText.write($0)) },
      read: { value in
        value.stringValue.flatMap(DurationText.parse).flatMap { $0 >= shortest ? $0 : nil }
      })
  }

  private static func optionalDuration(
    _ name: String, _ path: Path<Duration?>, _ reason: String
  ) -> WorkspaceSetting {
    optional(
      name, path, form: "a duration above 0 like \(DurationText.examples), or null", reason,
      write: { .string(DurationText.write($0)) },
      read: { value in
        value.stringValue.flatMap(DurationText.parse).flatMap { $0 > .zero ? $0 : nil }
      })
  }

  private static func optionalText(
    _ name: String, _ path: Path<String?>, limit: Int, _ reason: String
  ) -> WorkspaceSetting {
    optional(
      name, path, form: "a text of 1 to \(limit) characters, or null for any", reason,
      write: { .string($0) },
      read: { value in
        value.stringValue.flatMap { (1...limit).contains($0.unicodeScalars.count) ? $0 : nil }
      })
  }

  private static func flag(
    _ name: String, _ path: Path<Bool>, _ reason: String
  ) -> WorkspaceSetting {
    required(
      name, path, form: "true or false", reason, write: { .bool($0) }, read: { $0.boolValue })
  }

  /// Messages a minute by what they are counted for; what is absent is not counted.
  private static func quotas(
    _ name: String, _ path: Path<FCMSettings.Quotas?>, _ reason: String
  ) -> WorkspaceSetting {
    let range = 1...1_000_000
    let kinds: [(String, any WritableKeyPath<FCMSettings.Quotas, Int?> & Sendable)] = [
      ("projectPerMinute", \.projectPerMinute), ("devicePerMinute", \.devicePerMinute),
      ("topicPerMinute", \.topicPerMinute),
    ]
    return optional(
      name, path,
      form: "an object of \(kinds.map(\.0).joined(separator: ", ")), each from 1 to "
        + "\(range.upperBound), or null for no limit", reason,
      write: { quotas in
        var object = JSONObject()
        for (key, path) in kinds {
          if let count = quotas[keyPath: path] { object[key] = .int(count) }
        }
        return .object(object)
      },
      read: { value in
        guard let object = value.objectValue, !object.members.isEmpty else { return nil }
        var quotas = FCMSettings.Quotas()
        for member in object.members {
          guard let path = kinds.first(where: { $0.0 == member.key })?.1,
            let count = member.value.wholeValue, range.contains(count)
          else { return nil }
          quotas[keyPath: path] = count
        }
        return quotas
      })
  }

  /// Bundle IDs; more than the limit can only be a mistake.
  private static func names(
    _ name: String, _ path: Path<Set<String>>, _ reason: String
  ) -> WorkspaceSetting {
    let limit = 1000
    return required(
      name, path, form: "a list of at most \(limit) bundle IDs", reason,
      write: { .array($0.sorted().map { .string($0) }) },
      read: { value in
        guard let items = value.arrayValue, items.count <= limit else { return nil }
        let names = items.compactMap(\.stringValue).filter { !$0.isEmpty }
        return names.count == items.count ? Set(names) : nil
      })
  }

  static func required<Value>(
    _ name: String, _ path: Path<Value>, form: String, _ reason: String,
    write: @escaping @Sendable (Value) -> JSONValue,
    read: @escaping @Sendable (JSONValue) -> Value?
  ) -> WorkspaceSetting {
    WorkspaceSetting(
      name: name, form: form, reason: reason, value: { write($0[keyPath: path]) },
      set: { value, values in
        guard let value = read(value) else { return false }
        values[keyPath: path] = value
        return true
      })
  }

  private static func optional<Value>(
    _ name: String, _ path: Path<Value?>, form: String, _ reason: String,
    write: @escaping @Sendable (Value) -> JSONValue,
    read: @escaping @Sendable (JSONValue) -> Value?
  ) -> WorkspaceSetting {
    required(
      name, path, form: form, reason, write: { $0.map(write) ?? .null },
      read: { $0 == .null ? .some(nil) : read($0).map { .some($0) } })
  }
}
