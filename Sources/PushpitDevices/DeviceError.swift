package import PushpitModel

/// What is wrong with one value of a request, and where.
package struct InputProblem: Error, Equatable {
  /// JSON Pointer into the request's body.
  package let pointer: String
  package let detail: String
  /// When it is a mistake that has a name.
  package let code: DiagnosisCode?

  package init(_ pointer: String, _ detail: String, code: DiagnosisCode? = nil) {
    self.pointer = pointer
    self.detail = detail
    self.code = code
  }
}

/// Why a device was not made, found or changed.
package enum DeviceError: Error, Equatable {
  case invalid([InputProblem])
  /// A given token is another device's.
  case tokenTaken(InputProblem)
  case unknownDevice(DeviceID)
  case tooManyDevices(limit: Int)
  case tooManyStreams(limit: Int)
  /// No push that was not tapped yet is on the device's screen.
  case nothingShown
  /// The envelope never reached the device, or left its inbox.
  case notInInbox(EnvelopeNumber)
  /// The device has no token of this name.
  case noToken(TokenName)
  /// The app was not told its tokens yet.
  case tokenNotReady
  /// The device had no event of this number yet.
  case noEvent(UInt64, newest: UInt64)
  /// Its app was uninstalled.
  case notInstalled
}

extension DeviceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalid(let problems):
      problems.map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
    case .tokenTaken(let problem): "\(problem.pointer): \(problem.detail)"
    case .unknownDevice(let device): "there is no device \(device)"
    case .tooManyDevices(let limit): "there are \(limit) devices already, which is the limit"
    case .tooManyStreams(let limit):
      "the device has \(limit) streams open already, which is the limit"
    case .nothingShown: "the device shows no push that could be tapped"
    case .notInInbox(let envelope):
      "envelope \(EnvelopeID.text(envelope)) is not in the device's inbox"
    case .noToken(let name): "the device has no token \(name.text)"
    case .tokenNotReady: "the app waits for its tokens, as its tokenDelay has it"
    case .noEvent(let event, let newest):
      "the device has had no event \(event) yet; its newest is \(newest)"
    case .notInstalled: "the app is not installed on the device"
    }
  }
}
