import PushpitHTTPTypes
import PushpitModel

/// What a request about registrations is for: their topics, by the FCM API or by the older Instance ID
/// API, and device groups.
enum RegistrationEndpoint: Equatable {
  /// `/v1/projects/{project}/registrations/{registration}/topicSubscriptions[/{topic}]`.
  case subscriptions(project: String, registration: [UInt8], TopicSubscriptionCall)
  /// What is under `/iid/`.
  case instanceID(InstanceIDCall)
  /// `POST /fcm/notification`: creates and changes a device group.
  case changeGroup
  /// `GET /fcm/notification`: the key of a device group.
  case showGroup

  /// The endpoint of a method and a path as sent; nil for any other.
  ///
  /// Segments are decoded one by one, so that a slash in a token is no boundary.
  init?(method: [UInt8], path: ArraySlice<UInt8>) {
    let segments = path.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { PercentCoding.decode($0) }
    guard segments.count > 1, !segments.contains(where: \.isEmpty) else { return nil }
    let names = segments.map { String(decoding: $0, as: UTF8.self) }
    let method = String(decoding: method, as: UTF8.self)
    switch names[0] {
    case "v1":
      guard segments.count >= 6, names[1] == "projects", names[3] == "registrations",
        names[5] == "topicSubscriptions",
        let call = TopicSubscriptionCall(method: method, names.dropFirst(6))
      else { return nil }
      self = .subscriptions(project: names[2], registration: segments[4], call)
    case "iid":
      guard let call = InstanceIDCall(method: method, segments, names) else { return nil }
      self = .instanceID(call)
    case "fcm":
      guard names.count == 2, names[1] == "notification" else { return nil }
      switch method {
      case "POST": self = .changeGroup
      case "GET": self = .showGroup
      default: return nil
      }
    default: return nil
    }
  }

  /// The service that the record names, and whose host it is at.
  var service: PushService {
    switch self {
    case .subscriptions, .changeGroup, .showGroup: .fcm
    case .instanceID: .iid
    }
  }
}

/// A method of `projects.registrations.topicSubscriptions` (Google's discovery document, 20261023).
enum TopicSubscriptionCall: Equatable {
  case create
  case list
  case get(topic: String)
  case delete(topic: String)
  case patch(topic: String)

  /// The method of an HTTP method and of what follows the collection's name.
  init?(method: String, _ rest: ArraySlice<String>) {
    switch (method, rest.count) {
    case ("POST", 0): self = .create
    case ("GET", 0): self = .list
    case ("GET", 1): self = .get(topic: rest[rest.startIndex])
    case ("DELETE", 1): self = .delete(topic: rest[rest.startIndex])
    case ("PATCH", 1): self = .patch(topic: rest[rest.startIndex])
    default: return nil
    }
  }
}

/// A call of the Instance ID API (Google: Instance ID server reference).
enum InstanceIDCall: Equatable {
  /// `POST /iid/v1:batchAdd`.
  case batchAdd
  /// `POST /iid/v1:batchRemove`.
  case batchRemove
  /// `POST /iid/v1:batchImport`.
  case batchImport
  /// `POST /iid/v1/{token}/rel/topics/{topic}`.
  case subscribe(token: [UInt8], topic: String)
  /// `GET /iid/info/{token}`, and without `info/` as kreait asks.
  case info(token: [UInt8])

  /// The call of a path's decoded segments, of which the first is `iid`.
  init?(method: String, _ segments: [[UInt8]], _ names: [String]) {
    switch (method, segments.count) {
    case ("POST", 2) where names[1] == "v1:batchAdd": self = .batchAdd
    case ("POST", 2) where names[1] == "v1:batchRemove": self = .batchRemove
    case ("POST", 2) where names[1] == "v1:batchImport": self = .batchImport
    case ("POST", 6) where names[1] == "v1" && names[3] == "rel" && names[4] == "topics":
      self = .subscribe(token: segments[2], topic: names[5])
    case ("GET", 3) where names[1] == "info": self = .info(token: segments[2])
    case ("GET", 2): self = .info(token: segments[1])
    default: return nil
    }
  }
}
