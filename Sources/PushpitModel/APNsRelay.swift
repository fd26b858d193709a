/// What APNs says of a message to an iOS app that FCM has passed on.
package enum APNsRelay {
  /// A refusal by APNs, as FCM hears it.
  package struct Refusal: Error, Sendable, Equatable {
    /// The HTTP status of APNs' answer.
    package let status: Int
    /// Its reason.
    package let reason: String
    package let diagnosis: Diagnosis

    package init(status: Int, reason: String, diagnosis: Diagnosis) {
      self.status = status
      self.reason = reason
      self.diagnosis = diagnosis
    }
  }

  /// Judges a push that is sent with the APNs key of a workspace's Firebase projects, by the rules of
  /// APNs; returns the record of its device token.
  package typealias Judge = (PushRequest, Workspace) throws(Refusal) -> TokenRecord
}
