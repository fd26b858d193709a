import PushpitHTTPTypes
import PushpitJSON
import PushpitModel
import Testing

@testable import PushpitFCM

/// A trailing comma, which the front end takes, makes a message of the same meaning that is not plain.
@Suite struct PlainDeliveryTests {
  /// What a token can be when a message is sent to it.
  enum Recipient: CaseIterable {
    case android, web, ios, undeclared, ofOtherProject, unregistered, rotated, expired, cleared,
      busy

    func set(up fixture: ServiceFixture) {
      switch self {
      case .android: fixture.register()
      case .web: fixture.register(platform: .web)
      case .ios: fixture.register(platform: .ios)
      case .undeclared: break
      case .ofOtherProject: fixture.register(project: "other")
      case .unregistered: fixture.register().state = .unregistered(since: .init(milliseconds: 0))
      case .rotated: fixture.register().state = .rotated(at: .init(milliseconds: 0))
      case .expired: fixture.register().state = .expired(since: .init(milliseconds: 0))
      case .cleared: fixture.register().isCleared = true
      case .busy:
        fixture.register()
        fixture.workspaces.default.fcm.quotas = FCMSettings.Quotas(devicePerMinute: 1)
      }
    }
  }

  /// Everything that an outcome and its answer say.
  private static func report(of body: String, to recipient: Recipient) throws -> [String] {
    let fixture = try ServiceFixture()
    recipient.set(up: fixture)
    let bearer = try fixture.accessToken()
    return try (0..<2).map { _ in
      let outcome = try fixture.send(body, bearer: bearer)
      var text = "\(fixture.head.status) \(fixture.head.fields.pairs) \(fixture.text)"
      dump(outcome, to: &text, maxDepth: 4)
      // Objects are told apart by their addresses, which say nothing.
      return text.replacing(#/ObjectIdentifier\(0x[0-9a-f]+\)| #[0-9]+/#, with: "")
    }
  }

  @Test(arguments: PlainMessageTests.plain, Recipient.allCases)
  func `a plain message has the answer and the outcome of any other`(
    _ body: String, _ recipient: Recipient
  ) throws {
    let end = try #require(body.lastIndex(of: "}"))
    let same = body[..<end] + ",}"
    #expect(
      try Self.report(of: body, to: recipient) == Self.report(of: String(same), to: recipient))
  }
}
