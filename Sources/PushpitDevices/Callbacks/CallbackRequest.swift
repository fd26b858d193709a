package import PushpitModel

/// A callback that is to be sent: an effect of what happened to a device, made without any I/O.
package struct CallbackRequest: Sendable, Equatable {
  /// A header, its name in lower case.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package let device: DeviceID
  package let kind: CallbackKind
  package let method: CallbackMethod
  /// Whether it goes over TLS.
  package let isSecure: Bool
  /// A name or an address, IPv6 without brackets, in lower case.
  package let host: String
  package let port: Int
  /// Host and port as the Host field has them.
  package let authority: String
  /// Path and query.
  package let target: String
  package let fields: [Field]
  package let body: [UInt8]

  /// The whole URL.
  package var url: String { (isSecure ? "https://" : "http://") + authority + target }
}
