extension APNsSettings {
  /// How many GOAWAY frames announce the end of a connection that APNs ends with a reason.
  package enum GoAways: String, Sendable, CaseIterable {
    /// One with the reason: every whole capture has it so (2016, 2017 and 2018).
    case one
    /// A second one without the reason follows, as Apple sometimes sent (golang/go issue 14627 and
    /// openradar 5059955027607552, 2016).
    case two
  }
}
