internal import PushpitModel

/// What apps do with FCM topics on their devices.
extension DeviceDirectory {
  /// Makes these the topics of a device, as its app does by `subscribeToTopic` and
  /// `unsubscribeFromTopic`.
  ///
  /// `checkTopics` comes before it.
  /// - Throws: that there are too many.
  func setTopics(_ names: [String], of device: Device) throws(DeviceError) {
    guard let record = device.fcmToken else { return }
    let old = Set(device.topics)
    let wanted = Set(names)
    let project = record.topicProject(of: "")
    for topic in old.subtracting(wanted) {
      device.home.topics.unsubscribe(record.token, from: topic, in: project)
    }
    let now = now(of: device)
    for topic in wanted.subtracting(old) {
      do {
        try device.home.topics.subscribe(record.token, to: topic, in: project, at: now)
      } catch {
        throw .invalid([Self.tooManyTopics(error)])
      }
    }
  }

  /// Whether a device can have these topics.
  /// - Throws: that it has no living registration token, that a name is none, or that there are too many.
  func checkTopics(_ names: [String], of device: Device) throws(DeviceError) {
    let old = Set(device.topics)
    let wanted = Set(names)
    let newCount = wanted.subtracting(old).count - old.subtracting(wanted).count
    try check(
      topics: names, hasToken: device.fcmToken?.state == .active, newCount: newCount,
      in: device.workspace)
  }

  /// The topics that a new device is to have.
  func checkTopics(
    of specification: DeviceSpecification, in workspace: WorkspaceID
  ) throws(DeviceError) {
    guard let names = specification.settings.topics else { return }
    try check(
      topics: names, hasToken: specification.platform != .ios || specification.hasFirebase,
      newCount: Set(names).count, in: workspace)
  }

  private func check(
    topics names: [String], hasToken: Bool, newCount: Int, in workspace: WorkspaceID
  ) throws(DeviceError) {
    guard !names.isEmpty else { return }
    guard hasToken else {
      throw .invalid([
        InputProblem("/topics", "the device has no living FCM registration token to subscribe")
      ])
    }
    guard Set(names).count <= TopicDirectory.topicLimit else {
      throw .invalid([Self.tooManyTopics(.token(limit: TopicDirectory.topicLimit))])
    }
    let problems = names.enumerated().compactMap { index, name in
      FCMTopicName.isValid(name.utf8)
        ? nil
        : InputProblem(
          "/topics/\(index)", "expected 1 to 900 characters of a-z, A-Z, 0-9 and -_.~%")
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    guard workspaces[workspace].topics.hasRoom(for: newCount) else {
      throw .invalid([Self.tooManyTopics(.workspace(limit: TopicDirectory.totalLimit))])
    }
  }

  private static func tooManyTopics(_ full: TopicDirectory.Full) -> InputProblem {
    switch full {
    case .token(let limit):
      InputProblem("/topics", "a token can be subscribed to at most \(limit) topics")
    case .workspace(let limit):
      InputProblem("/topics", "the workspace has \(limit) subscriptions, which is the limit")
    }
  }
}

extension Device {
  /// The FCM topics that its registration token is subscribed to, by name.
  package var topics: [String] {
    guard let record = fcmToken else { return [] }
    return home.topics.subscriptions(of: record.token, in: record.topicProject(of: ""))
      .map(\.topic)
  }
}
