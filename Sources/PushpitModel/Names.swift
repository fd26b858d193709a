/// The name of a workspace, `default` unless one was made.
package struct WorkspaceID: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: String

  package init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  package static let `default` = WorkspaceID("default")
  package var description: String { rawValue }
}

/// The name of a device, made by the gateway.
package struct DeviceID: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: String

  package init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }
}

/// The number of an envelope: counts recorded requests of the process from 1, in order of receipt.
package typealias EnvelopeNumber = UInt64

/// The vendor service that a request was for.
package enum PushService: String, Sendable, CaseIterable {
  case apns
  case fcm
  case iid
  case oauth
  case unknown
}

/// An APNs environment; a device token and some keys belong to exactly one.
package enum APNsEnvironment: String, Sendable, CaseIterable {
  case sandbox
  case production

  /// Compares cases; without this, other modules compare the texts of their raw values.
  package static func == (one: APNsEnvironment, other: APNsEnvironment) -> Bool {
    switch (one, other) {
    case (.sandbox, .sandbox), (.production, .production): true
    case (.sandbox, .production), (.production, .sandbox): false
    }
  }
}

/// What a simulated device is.
package enum Platform: String, Sendable, CaseIterable {
  case ios
  case android
  case web
}

/// The kind of a token, by its shape or by its registration.
package enum TokenKind: String, Sendable, CaseIterable {
  /// APNs device token: hexadecimal.
  case apns
  /// FCM registration token: one colon.
  case fcm
  /// Firebase installation ID: 22 characters.
  case fid
  /// None of the shapes.
  case malformed
}
