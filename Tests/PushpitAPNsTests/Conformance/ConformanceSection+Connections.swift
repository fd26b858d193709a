import PushpitTestSupport

@testable import PushpitAPNs

extension ConformanceSection {
  static let server = ConformanceSection(
    title: "Answers that the request does not cause",
    rules: [
      ConformanceRule(
        "a push that becomes complete while the gateway stops", .shutdown,
        evidence: .assumed("Apple lists the reason, and no capture shows when it is given"),
        .scene { $0.refuse(overtakenBy: .stop) }),
      ConformanceRule(
        "a push whose body stops coming, with idleTimeout", .idleTimeout,
        evidence: .assumed("nothing else on an idle connection could be answered with it"),
        .scene { $0.refuse(overtakenBy: .silence(.seconds(30))) }),
      ConformanceRule(
        "APNs is not available", .serviceUnavailable,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "never by itself", .catalogue),
      ConformanceRule(
        "APNs fails", .internalServerError,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "only on a connection that is wedged, with wedge: internal-error", .catalogue),
      ConformanceRule(
        "an action that is not allowed", .forbidden,
        evidence: .documented("Handling notification responses from APNs"),
        deviation: "never by itself: the page names no action, and no capture has the reason",
        .catalogue),
    ])

  static let connections = ConformanceSection(
    title: "Connections",
    rules: [
      frames(
        "the first SETTINGS: 4096, 1 stream, 65535, 16384, 8000",
        .observed("2017 and 2021"), "test_the_first_settings_are_apples"),
      frames(
        "a second SETTINGS with 1000 streams just before the first 200",
        .observed("2022, sandbox"), "test_the_second_settings_come_just_before_the_first_200"),
      frames(
        "100 streams under a host of Google's",
        .library("firebase-admin for Node and Java note that limit"),
        "test_a_host_of_googles_has_100_streams_from_the_start"),
      frames(
        "a stream too many: RST_STREAM with REFUSED_STREAM, and nothing else",
        .observed("since 2017"), "test_a_stream_too_many_is_refused_alone_and_its_body_unread",
        deviation: "one RST_STREAM where APNs once sent another with STREAM_CLOSED"),
      frames(
        "streams beyond the limit before SETTINGS are acknowledged",
        .library("most do not wait for SETTINGS"),
        "test_before_the_first_acknowledgement_more_streams_are_served"),
      frames(
        "with streams: throttle, 1 stream after a rejected push, 1000 after an accepted one",
        .observed("2016 and 2017"),
        "test_with_throttle_a_rejection_brings_the_limit_down_until_a_push_is_accepted",
        deviation: "off by default, as newer captures have none of it"),
      frames(
        "success is one HEADERS frame with END_STREAM", .observed("2018 to 2026"),
        "test_a_success_is_one_headers_frame_that_ends_the_stream"),
      frames(
        "an error is one HEADERS frame and one DATA frame with END_STREAM",
        .observed("2018 and 2026"), "test_an_error_is_one_headers_and_one_data_frame"),
      frames(
        "apns-id is indexed at its first use and never again", .observed("2018, raw bytes"),
        "test_apns_id_is_indexed_the_first_time_and_never_again"),
      frames(
        "PING is answered", .library("node-apn, Go"), "test_a_ping_is_answered_with_its_own_bytes"),
      frames(
        "PRIORITY is ignored", .documented("Sending notification requests to APNs"),
        "test_priority_is_ignored"),
      frames(
        "HTTP/1.x over TLS: SETTINGS, then GOAWAY with PROTOCOL_ERROR and the request line",
        .observed("2019 and July 2026, curl"), "test_http1_gets_settings_and_goaway",
        deviation: "answered with the setting apnsOverHTTP1"),
      frames(
        "with idleTimeout, GOAWAY with NO_ERROR and the reason IdleTimeout",
        .assumed("Apple lists the reason, and no capture shows its frame"),
        "test_an_idle_connection_ends_with_idle_timeout"),
      frames(
        "a stop: GOAWAY with NO_ERROR and the reason Shutdown",
        .assumed("Apple lists the reason, and no capture shows its frame"),
        "test_sigterm_ends_connections_with_shutdown"),
    ])

  /// A rule that hand-made frames show.
  static func frames(
    _ title: String, _ evidence: ConformanceEvidence, _ test: String,
    deviation: String? = nil
  ) -> ConformanceRule {
    ConformanceRule(
      title, evidence: evidence, deviation: deviation,
      .test(file: "Tests/Senders/test_raw_frames.py", name: "def \(test)("))
  }
}
