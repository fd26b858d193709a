package import PushpitModel

extension DiagnosisCode {
  package static let relayKeyMissing = DiagnosisCode("fcm-apns-key-missing")
  package static let relayKeyOfOtherEnvironment = DiagnosisCode("fcm-apns-key-of-other-environment")
  package static let relayKeyOfOtherTopics = DiagnosisCode("fcm-apns-key-of-other-topics")
}

// What is wrong with the APNs key by which FCM passes messages on.

extension APNsDiagnoses {
  static func relayKeyMissing(
    _ choice: FCMSettings.APNsKeyChoice, _ workspace: WorkspaceID
  ) -> Diagnosis {
    let what =
      switch choice {
      case .any: "the workspace \(workspace) has no APNs key"
      case .none: "the setting fcmAPNsKey says that the Firebase project has no APNs key"
      case .key(let id): "the workspace \(workspace) does not know the APNs key \(cut(id))"
      }
    return Diagnosis(
      .relayKeyMissing, what: what + ", so FCM cannot pass messages on to iOS apps",
      fix: "upload a key in Firebase's console (project settings, Cloud Messaging); here, set "
        + "fcmAPNsKey to any, or import the key with pushpit credentials import")
  }

  static func relayKeyOfOtherEnvironment(
    _ key: APNsKey, _ environment: APNsEnvironment
  ) -> Diagnosis {
    let good = key.environments.map(\.rawValue).joined(separator: ", ")
    return Diagnosis(
      .relayKeyOfOtherEnvironment,
      what:
        "the Firebase project's APNs key \(key.keyID) is for \(good), and the app's token is of "
        + "\(environment.rawValue)",
      fix:
        "upload a key of \(environment.rawValue) in Firebase's console too; here, import one, or "
        + "make the device one of \(good)")
  }

  static func relayKeyOfOtherTopics(_ key: APNsKey, _ topic: ArraySlice<UInt8>) -> Diagnosis {
    let good = (key.topics ?? []).joined(separator: ", ")
    return Diagnosis(
      .relayKeyOfOtherTopics,
      what:
        "the Firebase project's APNs key \(key.keyID) is for the topics \(good), and the push is "
        + "for \(quoted(topic))",
      fix: "upload a key for all topics of the team in Firebase's console; here, import one")
  }
}
