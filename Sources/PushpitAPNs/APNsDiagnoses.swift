internal import PushpitHTTPTypes
internal import PushpitJSON
package import PushpitModel

/// The codes of diagnoses that only APNs makes.
extension DiagnosisCode {
  package static let methodNotPost = DiagnosisCode("method-not-post")
  package static let providerTokenMissing = DiagnosisCode("provider-token-missing")
  package static let providerTokenUnreadable = DiagnosisCode("provider-token-unreadable")
  package static let providerTokenKeyUnknown = DiagnosisCode("provider-token-key-unknown")
  package static let providerTokenOfOtherTeam = DiagnosisCode("provider-token-of-other-team")
  package static let providerTokenSignature = DiagnosisCode("provider-token-signature")
  package static let providerTokenExpired = DiagnosisCode("provider-token-expired")
  package static let keyOfOtherEnvironment = DiagnosisCode("key-of-other-environment")
  package static let topicNotOfKey = DiagnosisCode("topic-not-of-key")
  package static let deviceTokenMissing = DiagnosisCode("device-token-missing")
  package static let headerRepeated = DiagnosisCode("header-repeated")
  package static let apnsIDNotUUID = DiagnosisCode("apns-id-not-uuid")
  package static let topicMissing = DiagnosisCode("topic-missing")
  package static let topicMalformed = DiagnosisCode("topic-malformed")
  package static let pushTypeUnknown = DiagnosisCode("push-type-unknown")
  package static let pushTypeNotOfTopic = DiagnosisCode("push-type-not-of-topic")
  package static let priorityInvalid = DiagnosisCode("priority-invalid")
  package static let expirationNotInteger = DiagnosisCode("expiration-not-integer")
  package static let collapseIDTooLong = DiagnosisCode("collapse-id-too-long")
  package static let payloadEmpty = DiagnosisCode("payload-empty")
  package static let payloadTooLarge = DiagnosisCode("payload-too-large")
  package static let payloadNotJSON = DiagnosisCode("payload-not-json")
}

/// Every explanation that APNs gives to people: one sentence says what is wrong, with the values,
/// and one says what to do.
///
/// Tokens are shortened to eight characters; values of a sender are cut to a readable length.
enum APNsDiagnoses {}

// MARK: - Request and path

extension APNsDiagnoses {
  static func methodNotAllowed(_ method: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .methodNotPost, what: "the request's method is \(quoted(method)), a push needs POST",
      fix: "send POST /3/device/<device token>")
  }

  static func badPath(_ path: ArraySlice<UInt8>) -> Diagnosis {
    let isBroadcast = path.starts(with: "/4/".utf8)
    let nearest = isBroadcast ? "/4/broadcasts/apps/<bundle ID>" : "/3/device/<device token>"
    return Diagnosis(
      .pathOfNoEndpoint, what: "APNs has nothing at \(quoted(path)); the nearest is \(nearest)",
      fix: isBroadcast
        ? "send the broadcast to /4/broadcasts/apps/ followed by the bundle ID"
        : "send the push to /3/device/ followed by the device token")
  }

  static func duplicateHeader(_ name: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .headerRepeated, what: "the header \(text(name)) is there more than once",
      fix: "send \(text(name)) once; look for a library and your own code both setting it")
  }

  static func badMessageID(_ id: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .apnsIDNotUUID, what: "apns-id is \(quoted(id)), which is not a UUID in the form 8-4-4-4-12",
      fix: "send a UUID with its four hyphens, or leave apns-id out and read it from the answer")
  }

  static func badPriority(_ value: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .priorityInvalid, what: "apns-priority is \(quoted(value)); APNs knows 10, 5 and 1",
      fix: "send 10 to deliver at once, 5 or 1 to save power, or leave it out for 10")
  }

  static func badExpiration(_ value: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .expirationNotInteger,
      what: "apns-expiration is \(quoted(value)), which is no integer of 64 bits",
      fix: "send whole seconds since 1970, rounded down, or 0 for now or never")
  }

  static func badCollapseID(_ count: Int, limit: Int) -> Diagnosis {
    Diagnosis(
      .collapseIDTooLong,
      what: "apns-collapse-id has \(count) bytes, at most \(limit) are allowed",
      fix: "shorten it, for example to a hash; UTF-8 bytes count, not characters")
  }
}

// MARK: - Topic and push type

extension APNsDiagnoses {
  static func missingTopic() -> Diagnosis {
    Diagnosis(
      .topicMissing, what: "the request has no apns-topic",
      fix:
        "send the app's bundle ID as apns-topic, with the suffix of the push type where it has one"
    )
  }

  static func badTopic(_ topic: ArraySlice<UInt8>) -> Diagnosis {
    Diagnosis(
      .topicMalformed, what: "apns-topic is \(quoted(topic)), which cannot be a bundle ID",
      fix: "send the bundle ID as Xcode shows it: letters, digits, hyphens and periods")
  }

  static func topicNotOfKey(_ topic: ArraySlice<UInt8>, key: APNsKey, topics: [String])
    -> Diagnosis
  {
    let some = topics.prefix(3).joined(separator: ", ") + (topics.count > 3 ? ", ..." : "")
    return Diagnosis(
      .topicNotOfKey,
      what: "the key \(key.keyID) is for the topics \(some) and not for \(quoted(topic))",
      fix: "use a team-scoped key, or add the topic to this key")
  }

  static func unknownPushType(_ value: ArraySlice<UInt8>) -> Diagnosis {
    let all = APNsPushType.allCases.map(\.text.description).joined(separator: ", ")
    return Diagnosis(
      .pushTypeUnknown, what: "apns-push-type is \(quoted(value)), which APNs does not know",
      fix: "send one of \(all), in lower case")
  }

  static func pushTypeNotOfTopic(_ type: APNsPushType, topic: ArraySlice<UInt8>) -> Diagnosis {
    let owner = APNsPushType.ofSuffix(topic)
    let fix =
      if let suffix = type.topicSuffix {
        "send the bundle ID followed by \(suffix) as apns-topic, or another push type"
      } else if let owner {
        "send apns-push-type \(owner.text), or the bundle ID without a suffix as apns-topic"
      } else {
        "send the bundle ID without a suffix as apns-topic"
      }
    return Diagnosis(
      .pushTypeNotOfTopic,
      what: "apns-push-type is \(type.text), which does not go with the topic \(quoted(topic))",
      fix: fix)
  }
}

// MARK: - Payload

extension APNsDiagnoses {
  static func payloadEmpty() -> Diagnosis {
    Diagnosis(
      .payloadEmpty, what: "the request has no body",
      fix: "send a JSON object; {} is enough where the push needs no content")
  }

  static func payloadTooLarge(_ count: Int, isCut: Bool, limit: Int) -> Diagnosis {
    Diagnosis(
      .payloadTooLarge,
      what:
        "the payload has \(isCut ? "more than " : "")\(count) bytes, at most \(limit) are allowed",
      fix: "send less, and let the app fetch the rest; UTF-8 bytes count, not characters")
  }

  static func payloadNotJSON(_ body: ArraySlice<UInt8>) -> Diagnosis {
    // Half of a surrogate pair and deep nesting are within RFC 8259's grammar: say what it is.
    let fault: String
    do throws(JSONSyntaxError) {
      _ = try JSONReader.parse(body)
      fault = "is no JSON object"
    } catch {
      fault = "cannot be read as JSON: \(error)"
    }
    return Diagnosis(
      .payloadNotJSON, what: "the payload begins \(quoted(body.prefix(24))) and \(fault)",
      fix: "send one JSON object, uncompressed and in UTF-8, without halves of surrogate pairs")
  }
}

// MARK: - Provider tokens

extension APNsDiagnoses {
  static func missingProviderToken(_ authorization: ArraySlice<UInt8>?) -> Diagnosis {
    let scheme = authorization?.prefix { $0 != UInt8(ascii: " ") }
    let what =
      if let scheme, !scheme.isEmpty {
        "the authorization header has the scheme \(shortened(scheme)) and no bearer token"
      } else {
        "the request has no authorization header with a provider token"
      }
    return Diagnosis(
      .providerTokenMissing, what: what,
      fix: "send authorization: bearer <provider token>, signed with a key of this gateway")
  }

  static func unreadableProviderToken(_ fault: ProviderTokenFault) -> Diagnosis {
    let what =
      switch fault {
      case .notCompact: "the provider token is not a JSON web token of three base64 parts"
      case .headerNotJSON: "the provider token's header is no JSON object"
      case .algorithm(let name): "the provider token's alg is \"\(name.prefix(20))\" and not ES256"
      case .keyIDMissing: "the provider token's header has no kid"
      case .claimsNotJSON: "the provider token's claims are no JSON object"
      case .teamMissing: "the provider token's claims have no iss"
      case .issuedAtUnreadable: "the provider token's claims have no iat in seconds"
      }
    return Diagnosis(
      .providerTokenUnreadable, what: what,
      fix:
        "sign {\"alg\":\"ES256\",\"kid\":key ID} and {\"iss\":team ID,\"iat\":seconds} with the key"
    )
  }

  static func unknownKey(_ claims: ProviderClaims, known key: APNsKey?) -> Diagnosis {
    if let key {
      return Diagnosis(
        .providerTokenOfOtherTeam,
        what: "the key \(key.keyID) is of team \(key.teamID) and not of \(cut(claims.teamID))",
        fix: "put the team ID \(key.teamID) into iss; check that team ID and key ID are not swapped"
      )
    }
    return Diagnosis(
      .providerTokenKeyUnknown,
      what: "no workspace has the key \(cut(claims.keyID)) of team \(cut(claims.teamID))",
      fix: "use the key that pushpit env names, or import yours with pushpit credentials import")
  }

  static func badSignature(_ key: APNsKey) -> Diagnosis {
    Diagnosis(
      .providerTokenSignature,
      what: "the provider token's signature was not made by the key \(key.keyID)",
      fix: "sign with the .p8 file of \(key.keyID), over header and claims exactly as they are sent"
    )
  }

  static func expiredProviderToken(_ issuedAt: Timestamp, age: Duration, limit: Duration)
    -> Diagnosis
  {
    Diagnosis(
      .providerTokenExpired,
      what:
        "the provider token is \(age.milliseconds / 1000) seconds old by the workspace's clock, "
        + "at most \(limit.milliseconds / 1000) are allowed; it was issued at \(issuedAt.rfc3339)",
      fix: "sign a new token every 20 to 60 minutes, and check that iat is in seconds")
  }

  static func keyOfOtherEnvironment(_ key: APNsKey, at environment: APNsEnvironment) -> Diagnosis {
    let good = key.environments.map(\.rawValue).joined(separator: ", ")
    return Diagnosis(
      .keyOfOtherEnvironment,
      what: "the key \(key.keyID) is for \(good) and was used at \(environment.rawValue)",
      fix: "use a key of \(environment.rawValue), or send to the other environment's host")
  }

  static func cut(_ value: String) -> String {
    value.count > 20 ? value.prefix(20) + "..." : value
  }
}

// MARK: - Text

extension APNsDiagnoses {
  /// The first eight characters of a token.
  static func shortened(_ token: some Collection<UInt8>) -> String {
    text(token.prefix(8)) + (token.count > 8 ? "..." : "")
  }

  /// A sender's value in quotation marks, cut at 80 bytes.
  static func quoted(_ value: ArraySlice<UInt8>) -> String {
    "\"" + text(value.prefix(80)) + (value.count > 80 ? "..." : "") + "\""
  }

  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
