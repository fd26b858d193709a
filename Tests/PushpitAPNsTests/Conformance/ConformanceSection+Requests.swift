import PushpitModel
import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  static let requests = ConformanceSection(
    title: "Method and path",
    rules: [
      ConformanceRule(
        "a valid push", evidence: .observed("2018 to 2026, curl"), change: { _ in }),
      ConformanceRule(
        "any method but POST, whatever the credential", .methodNotAllowed, .method,
        evidence: .observed("2019 and September 2026, unauthenticated GET on both hosts")
      ) {
        $0.method = "GET"
        $0.set("authorization", nil)
      },
      ConformanceRule(
        "a path of no endpoint", .badPath, .path,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.target = "/3/devices/" + Gateway.deviceToken },
    ])

  static let headerFields = ConformanceSection(
    title: "Header fields",
    rules: [
      ConformanceRule(
        "a header field twice", .duplicateHeaders, .duplicateHeaders,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.fields.append(("apns-priority", "10")) },
      ConformanceRule(
        "apns-id that is no UUID", .badMessageID, .messageID,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("apns-id", "42") },
      ConformanceRule(
        "apns-id in upper case is echoed as it came",
        evidence: .library("aioapns matches answers by the bytes it sent")
      ) { $0.set("apns-id", "0B5C2A1E-5F0A-4B7E-9D53-2F6A0D8C1E77") },
      ConformanceRule(
        "apns-push-type that nobody knows", .invalidPushType, .pushType,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("apns-push-type", "loud") },
      ConformanceRule(
        "apns-push-type in capitals", .invalidPushType, .pushType,
        evidence: .assumed("the page writes the values in lower case, and no capture has another")
      ) { $0.set("apns-push-type", "Alert") },
      ConformanceRule(
        "no apns-push-type", evidence: .observed("2022, curl")
      ) { $0.set("apns-push-type", nil) },
      ConformanceRule(
        "apns-priority other than 10, 5 and 1", .badPriority, .priority,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.set("apns-priority", "7") },
      ConformanceRule(
        "background with priority 10",
        evidence: .assumed("the page calls it an error, and no capture shows an answer"),
        deviation: "accepted, with a warning on the envelope"
      ) { $0.set("apns-push-type", "background") },
      ConformanceRule(
        "apns-expiration with a fraction", .badExpirationDate, .expiration,
        evidence: .observed("2018, parse-server issue 4558")
      ) { $0.set("apns-expiration", "1518080000.123") },
      ConformanceRule(
        "apns-expiration in the past",
        evidence: .assumed("no answer is known, and 0 is in the past too")
      ) { $0.set("apns-expiration", "1518080000") },
      ConformanceRule(
        "apns-collapse-id of 64 bytes",
        evidence: .documented("Sending notification requests to APNs")
      ) { $0.set("apns-collapse-id", String(repeating: "é", count: 32)) },
      ConformanceRule(
        "apns-collapse-id of 65 bytes", .badCollapseID, .collapseID,
        evidence: .documented("Sending notification requests to APNs")
      ) { $0.set("apns-collapse-id", String(repeating: "é", count: 32) + "x") },
    ])

  static let payloads = ConformanceSection(
    title: "Payload",
    rules: [
      ConformanceRule(
        "no body", .payloadEmpty, .payload,
        evidence: .documented("Handling notification responses from APNs")
      ) { $0.body = [] },
      ConformanceRule(
        "the body {}", evidence: .library("node-apn issue 219: Wallet passes")
      ) { $0.body = Array("{}".utf8) },
      ConformanceRule(
        "a body without aps", evidence: .library("apnotic and others, for MDM")
      ) { $0.body = Array(#"{"mdm":"9F6A"}"#.utf8) },
      ConformanceRule(
        "a body that is no JSON object", .payloadEmpty, .payload,
        evidence: .assumed("no capture; APNSwift's test server answers so")
      ) { $0.body = Array("hello".utf8) },
      ConformanceRule(
        "4096 bytes", evidence: .documented("Sending notification requests to APNs")
      ) { $0.body = payload(count: 4096) },
      ConformanceRule(
        "4097 bytes", .payloadTooLarge, .payload,
        evidence: .documented("Sending notification requests to APNs")
      ) { $0.body = payload(count: 4097) },
      ConformanceRule(
        "5120 bytes in a VoIP push",
        evidence: .documented("Sending notification requests to APNs"),
        .scene { gateway in
          gateway.register(voipToken, topic: Gateway.topic + ".voip")
          return gateway.send {
            makeVoIP(&$0)
            $0.body = payload(count: 5120)
          }
        }),
      ConformanceRule(
        "5121 bytes in a VoIP push", .payloadTooLarge, .payload,
        evidence: .documented("Sending notification requests to APNs"),
        .scene { gateway in
          gateway.register(voipToken, topic: Gateway.topic + ".voip")
          return gateway.send {
            makeVoIP(&$0)
            $0.body = payload(count: 5121)
          }
        }),
    ])

  private static let voipToken = String(repeating: "70", count: 32)

  private static func makeVoIP(_ push: inout TestPush) {
    push.setToken(voipToken)
    push.set("apns-topic", Gateway.topic + ".voip")
    push.set("apns-push-type", "voip")
  }

  /// A JSON object of so many bytes.
  private static func payload(count: Int) -> [UInt8] {
    let frame = #"{"x":""}"#
    return Array(
      (frame.dropLast(2) + String(repeating: "y", count: count - frame.utf8.count)
        + frame.suffix(2)).utf8)
  }
}
