/// What Apple writes into the certificate of a push provider, beside its key and its validity.
///
/// Subject and extensions as they were seen in certificates of developers, in the test certificates of
/// Pushy and in the sources of NWPusher and SmartPush; which extension lists the topics of a push type
/// is said in Apple's "Sending notification requests to APNs".
package struct PushCertificate: Sendable, Equatable {
  /// A topic that the certificate may be used for.
  package struct Topic: Sendable, Equatable {
    /// The bundle ID, with a suffix where the kind needs one.
    package let name: String
    /// `app`, `voip` or `complication`.
    package let kind: String

    package init(_ name: String, kind: String) {
      self.name = name
      self.kind = kind
    }
  }

  /// `Apple Push Services: com.example.app`.
  package let commonName: String
  /// The user ID of the subject: the certificate's first topic, and its only one without a list.
  package let userID: String
  /// Good for the sandbox.
  package let isForDevelopment: Bool
  package let isForProduction: Bool
  /// The list of topics that newer certificates have; empty in those without one.
  package let topics: [Topic]
  /// The list of topics for VoIP that VoIP certificates have.
  package let voipTopics: [Topic]

  package init(
    commonName: String, userID: String, isForDevelopment: Bool, isForProduction: Bool,
    topics: [Topic] = [], voipTopics: [Topic] = []
  ) {
    self.commonName = commonName
    self.userID = userID
    self.isForDevelopment = isForDevelopment
    self.isForProduction = isForProduction
    self.topics = topics
    self.voipTopics = voipTopics
  }

  /// As Apple makes "Apple Push Notification service SSL (Sandbox & Production)": for the app's
  /// notifications, VoIP and complications (the list is that of Pushy's test certificate).
  package static func universal(
    _ bundleID: String, isForDevelopment: Bool = true, isForProduction: Bool = true
  ) -> PushCertificate {
    PushCertificate(
      commonName: "Apple Push Services: \(bundleID)", userID: bundleID,
      isForDevelopment: isForDevelopment, isForProduction: isForProduction,
      topics: [
        Topic(bundleID, kind: "app"), Topic("\(bundleID).voip", kind: "voip"),
        Topic("\(bundleID).complication", kind: "complication"),
      ])
  }

  /// As Apple makes a "VoIP Services Certificate", whose user ID is the topic with its suffix.
  package static func voip(
    _ bundleID: String, isForDevelopment: Bool = true, isForProduction: Bool = true
  ) -> PushCertificate {
    let topic = "\(bundleID).voip"
    return PushCertificate(
      commonName: "VoIP Services: \(bundleID)", userID: topic,
      isForDevelopment: isForDevelopment, isForProduction: isForProduction,
      voipTopics: [Topic(topic, kind: "voip")])
  }
}

extension PushCertificate {
  /// Apple's extensions by their object identifiers.
  enum Extension: String {
    case development = "1.2.840.113635.100.6.3.1"
    case production = "1.2.840.113635.100.6.3.2"
    case voipTopics = "1.2.840.113635.100.6.3.4"
    case topics = "1.2.840.113635.100.6.3.6"
  }

  /// The extensions with their values in DER, as they stand in a certificate.
  var extensions: [(oid: String, value: [UInt8])] {
    var extensions: [(oid: String, value: [UInt8])] = []
    func add(_ kind: Extension, _ value: [UInt8]) { extensions.append((kind.rawValue, value)) }
    if isForDevelopment { add(.development, DER.null) }
    if isForProduction { add(.production, DER.null) }
    if !voipTopics.isEmpty { add(.voipTopics, Self.list(voipTopics)) }
    if !topics.isEmpty { add(.topics, Self.list(topics)) }
    return extensions
  }

  /// `SEQUENCE { UTF8String topic, SEQUENCE { UTF8String kind }, ... }`.
  private static func list(_ topics: [Topic]) -> [UInt8] {
    DER.sequence(
      topics.flatMap { [DER.utf8String($0.name), DER.sequence([DER.utf8String($0.kind)])] })
  }

  /// Reads a list of topics; what is no list has none.
  ///
  /// That the list for VoIP has the same form is assumed: no such certificate could be looked into.
  static func topics(inList bytes: [UInt8]) -> [Topic] {
    guard let list = DER.values(bytes[...])?.first, list.tag == DER.sequenceTag,
      let values = DER.values(list.contents)
    else { return [] }
    var topics: [Topic] = []
    for (index, value) in values.enumerated() where value.tag == DER.utf8StringTag {
      let next = index + 1 < values.count ? values[index + 1] : nil
      let kind = next.flatMap { $0.tag == DER.sequenceTag ? DER.values($0.contents)?.first : nil }
      topics.append(
        Topic(
          String(decoding: value.contents, as: UTF8.self),
          kind: kind.map { String(decoding: $0.contents, as: UTF8.self) } ?? ""))
    }
    return topics
  }
}
