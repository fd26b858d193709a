import PushpitModel

/// A refused send: what the sender is told, and what people are.
struct FCMRefusal: Error, Equatable {
  let error: GoogleError
  let diagnosis: Diagnosis

  init(_ error: GoogleError, _ diagnosis: Diagnosis) {
    self.error = error
    self.diagnosis = diagnosis
  }
}
