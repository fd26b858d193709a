import PushpitModel
import PushpitTestSupport

@testable import PushpitFCM

/// What FCM makes of APNs' refusals; that the gateway's own APNs refuses so for these causes is shown by
/// RelayEndToEndTests.
extension ConformanceSection {
  private static let toPhone =
    #"{"message":{"token":"\#(ServiceFixture.androidToken)","data":{"k":"v"}}}"#
  private static let toActivity =
    #"{"message":{"token":"\#(ServiceFixture.androidToken)","apns":{"live_activity_token":"\#(activityToken)","#
    + #""payload":{"aps":{"event":"end","timestamp":1}}}}}"#
  private static let activityToken = String(repeating: "ab", count: 80)

  /// Sends to an iOS app that APNs refuses.
  private static func send(
    _ body: String, _ fixture: ServiceFixture, _ status: Int, _ reason: String
  ) throws -> PushOutcome {
    fixture.register(platform: .ios)
    fixture.apns.refusal = APNsRelay.Refusal(
      status: status, reason: reason,
      diagnosis: Diagnosis(.tokenUnknown, what: "APNs refuses it", fix: "see there"))
    return try fixture.send(body)
  }

  static let relay = ConformanceSection(
    title: "iOS apps, which APNs serves",
    rules: [
      ConformanceRule(
        "the app was uninstalled: APNs says Unregistered",
        .json(
          404,
          #"""
          {
            "error": {
              "code": 404,
              "message": "Requested entity was not found.",
              "status": "NOT_FOUND",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "UNREGISTERED"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 410,
                  "reason": "Unregistered"
                }
              ]
            }
          }

          """#),
        .seen("answers to a sender of iOS apps")
      ) { try send(toPhone, $0, 410, "Unregistered") },
      ConformanceRule(
        "a Live Activity has ended: APNs says Unregistered",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "APNs device token is disabled.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "INVALID_ARGUMENT"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 410,
                  "reason": "Unregistered"
                }
              ]
            }
          }

          """#),
        .seen("answers to a sender of Live Activities")
      ) { try send(toActivity, $0, 410, "Unregistered") },
      ConformanceRule(
        "the project has no APNs key, or a wrong one",
        .json(
          401,
          #"""
          {
            "error": {
              "code": 401,
              "message": "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
              "status": "UNAUTHENTICATED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "THIRD_PARTY_AUTH_ERROR"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 403,
                  "reason": "InvalidProviderToken"
                }
              ]
            }
          }

          """#),
        .seen("firebase-admin-node issue 3215, July 2026"), note: "no capture shows a challenge"
      ) { try send(toPhone, $0, 403, "InvalidProviderToken") },
      ConformanceRule(
        "the project's APNs key is one of the other environment",
        .json(
          401,
          #"""
          {
            "error": {
              "code": 401,
              "message": "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
              "status": "UNAUTHENTICATED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "THIRD_PARTY_AUTH_ERROR"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 403,
                  "reason": "BadEnvironmentKeyInToken"
                }
              ]
            }
          }

          """#),
        .seen("answers to a sender whose key was of the sandbox")
      ) { try send(toPhone, $0, 403, "BadEnvironmentKeyInToken") },
      ConformanceRule(
        "the same as older answers have it, with the setting `wire` documented",
        .json(
          401,
          #"""
          {
            "error": {
              "code": 401,
              "message": "Auth error from APNS or Web Push Service",
              "status": "UNAUTHENTICATED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "THIRD_PARTY_AUTH_ERROR"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 403,
                  "reason": "InvalidProviderToken"
                }
              ]
            }
          }

          """#),
        .documented("FCM error codes; seen in older answers")
      ) { fixture in
        fixture.workspaces.default.policies.wire = .documented
        return try send(toPhone, fixture, 403, "InvalidProviderToken")
      },
      ConformanceRule(
        "APNs does not take what the message has for it",
        .json(
          400,
          #"""
          {
            "error": {
              "code": 400,
              "message": "Request contains an invalid argument.",
              "status": "INVALID_ARGUMENT",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "INVALID_ARGUMENT"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 400,
                  "reason": "BadTopic"
                }
              ]
            }
          }

          """#),
        .assumed("the codes are documented, that they have an ApnsError too is not")
      ) { try send(toPhone, $0, 400, "BadTopic") },
      ConformanceRule(
        "APNs has had too many pushes for the device",
        .json(
          429,
          #"""
          {
            "error": {
              "code": 429,
              "message": "Resource has been exhausted (e.g. check quota).",
              "status": "RESOURCE_EXHAUSTED",
              "details": [
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                  "errorCode": "QUOTA_EXCEEDED"
                },
                {
                  "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                  "statusCode": 429,
                  "reason": "TooManyRequests"
                }
              ]
            }
          }

          """#),
        .assumed("as for what APNs does not take")
      ) { try send(toPhone, $0, 429, "TooManyRequests") },
    ])
}
